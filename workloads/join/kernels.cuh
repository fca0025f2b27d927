#pragma once

#include <cuda_runtime.h>

#include "common/dynamic_variant.h"
#include "join/relation.h"

namespace raddle::workloads {

/// Returns the first position in keys[0..count) with a key that is not below `key`.
__device__ inline unsigned lower_bound(const unsigned* keys, unsigned count, unsigned key) {
  unsigned low = 0;
  while (count > 0) {
    const unsigned half = count / 2;
    if (keys[low + half] < key) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

/// Finds the matching right rows of left row i: matches[i] rows from first[i].
__global__ void join_count(const unsigned* left, unsigned left_rows, const unsigned* right,
                           unsigned right_rows, unsigned* first, unsigned* matches) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= left_rows) return;
  const unsigned key = left[i];
  const unsigned begin = lower_bound(right, right_rows, key);
  first[i] = begin;
  matches[i] = lower_bound(right + begin, right_rows - begin, key + 1);
}

/// The output. The matches of left row i begin at offsets[i] of `rows`.
struct JoinOutput {
  const unsigned* left;
  const unsigned* first;
  const unsigned* matches;
  const unsigned* offsets;
  JoinedRow* rows;

  __device__ void write(unsigned i, unsigned match) const {
    rows[offsets[i] + match] = {left[i], i, first[i] + match};
  }
};

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    join_flat(JoinOutput output, unsigned left_rows) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= left_rows) return;
  const unsigned matches = output.matches[i];
  for (unsigned match = 0; match < matches; ++match) output.write(i, match);
}

/// The pocket of parallelism: writes one left row's matches, a matching right row a thread.
__global__ void join_write_matches(JoinOutput output, unsigned i, unsigned matches) {
  const unsigned match = blockIdx.x * blockDim.x + threadIdx.x;
  if (match < matches) output.write(i, match);
}
constexpr auto join_write_matches_kernel = &join_write_matches;

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    join_dynamic(JoinOutput output, unsigned left_rows, DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= left_rows) return;
  const unsigned matches = output.matches[i];
  if (launch(join_write_matches_kernel, matches, output, i, matches)) return;
  for (unsigned match = 0; match < matches; ++match) output.write(i, match);
}

}  // namespace raddle::workloads
