#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned num_bins = 256;

/// Counts each byte value with an atomic addition to global memory: all blocks contend for 256
/// counters. `counts` must hold zeros.
__global__ void histogram_global(const unsigned char* bytes, unsigned size, unsigned* counts) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) {
    atomicAdd(&counts[bytes[i]], 1u);
  }
}

/// Each block counts in shared memory first and adds its counts to `counts` at its end: contention
/// stays within a block, and global memory sees one atomic for each block and occupied bin.
__global__ void histogram_shared(const unsigned char* bytes, unsigned size, unsigned* counts) {
  __shared__ unsigned block_counts[num_bins];
  for (unsigned bin = threadIdx.x; bin < num_bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) {
    atomicAdd(&block_counts[bytes[i]], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    if (block_counts[bin] != 0) atomicAdd(&counts[bin], block_counts[bin]);
  }
}

}  // namespace raddle::workloads
