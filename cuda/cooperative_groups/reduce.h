// reduce: combines the values of a group's threads; each gets the result.
#pragma once

#include "../cooperative_groups.h"
#include "details/functional.h"

#include "../crt/library_begin.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent, class T, class Operation>
__device__ inline T reduce(const thread_block_tile<Size, Parent>& tile, T value,
                           Operation operation) {
  for (unsigned int distance = Size / 2; distance != 0; distance /= 2) {
    value = operation(value, tile.shfl_xor(value, distance));
  }
  return value;
}

template <class T, class Operation>
__device__ inline T reduce(const coalesced_group& group, T value, Operation operation) {
  const unsigned int size = group.size(), rank = group.thread_rank();
  unsigned int distance = 1;
  while (distance < size) distance *= 2;
  for (distance /= 2; distance != 0; distance /= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank + distance < size) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#include "../crt/library_end.h"
