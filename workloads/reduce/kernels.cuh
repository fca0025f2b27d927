#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned reduce_block_size = 256;  // a power of two, for the tree

/// This thread's part of the sum, in a grid-stride loop. All sums are modulo 2^32.
__device__ inline unsigned partial_sum(const unsigned* values, unsigned count) {
  unsigned sum = 0;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += values[i];
  }
  return sum;
}

/// Each block writes the sum of its part to sums[blockIdx.x]. The tree halves the number of active
/// threads at each step. The first threads stay active, so that whole warps finish and neighbouring
/// threads use neighbouring banks.
__global__ void reduce_tree(const unsigned* values, unsigned count, unsigned* sums) {
  __shared__ unsigned partial[reduce_block_size];
  const unsigned thread = threadIdx.x;
  partial[thread] = partial_sum(values, count);
  __syncthreads();
  for (unsigned half = reduce_block_size / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}

/// The sum over a warp, in lane 0. All 32 lanes take part.
__device__ inline unsigned warp_sum(unsigned value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  return value;
}

/// The same result as reduce_tree: lanes exchange registers, and only the sums of the warps pass
/// through shared memory, with a single barrier.
__global__ void reduce_shuffle(const unsigned* values, unsigned count, unsigned* sums) {
  constexpr unsigned warps = reduce_block_size / 32;
  __shared__ unsigned warp_sums[warps];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned sum = warp_sum(partial_sum(values, count));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned total = warp_sum(lane < warps ? warp_sums[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = total;
  }
}

}  // namespace raddle::workloads
