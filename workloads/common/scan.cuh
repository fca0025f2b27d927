#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned scan_block = 512;

/// sums[i] = values[0] + ... + values[i - 1] for i in 0..count, so `sums` has count + 1 elements.
/// One block of scan_block threads scans the array tile by tile (W. Hillis, G. Steele, "Data
/// Parallel Algorithms", CACM 29, 1986, within a tile).
__global__ void exclusive_scan(const unsigned* values, unsigned count, unsigned* sums) {
  __shared__ unsigned tile[scan_block];
  unsigned before = 0;
  for (unsigned start = 0; start < count; start += scan_block) {
    const unsigned i = start + threadIdx.x;
    const unsigned own = i < count ? values[i] : 0;
    tile[threadIdx.x] = own;
    __syncthreads();
    for (unsigned step = 1; step < scan_block; step *= 2) {
      const unsigned left = threadIdx.x >= step ? tile[threadIdx.x - step] : 0;
      __syncthreads();
      tile[threadIdx.x] += left;
      __syncthreads();
    }
    if (i < count) sums[i] = before + tile[threadIdx.x] - own;
    before += tile[scan_block - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[count] = before;
}

}  // namespace raddle::workloads
