// inclusive_scan and exclusive_scan: each thread gets the combined values of those up to it, or
// before it, in the order of ranks.
#pragma once

#include "../cooperative_groups.h"
#include "details/functional.h"

#include "../crt/library_begin.h"

namespace cooperative_groups {

template <class Group, class T, class Operation = plus<>>
__device__ inline T inclusive_scan(const Group& group, T value, Operation operation = {}) {
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = operation(before, value);
  }
  return value;
}

// The first thread gets `initial`.
template <class Group, class T, class Operation>
__device__ inline T exclusive_scan(const Group& group, T value, Operation operation, T initial) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? initial : operation(initial, before);
}
// T{}, which the others' values do not contain: it is not neutral to every operation.
template <class Group, class T, class Operation = plus<>>
__device__ inline T exclusive_scan(const Group& group, T value, Operation operation = {}) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T{} : before;
}

}  // namespace cooperative_groups

#include "../crt/library_end.h"
