// Histogram of 256 bins. The lanes of a warp count by atomics on the warp's counters in shared
// memory (Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007). Counts are then summed over
// warps and over blocks. Sizes and launches are those of the CUDA sample histogram.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr unsigned kByteBins = 256, kByteWarps = 6, kByteThreads = kByteWarps * 32;
constexpr unsigned kSumThreads = 256;

extern "C" __global__ void count_bytes(unsigned* parts, const unsigned* data, unsigned count) {
  __shared__ unsigned counters[kByteWarps * kByteBins];
  unsigned* const mine = counters + (threadIdx.x >> 5) * kByteBins;
#pragma unroll
  for (unsigned i = 0; i < kByteWarps * kByteBins / kByteThreads; ++i) {
    counters[threadIdx.x + i * kByteThreads] = 0;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const unsigned word = data[i];
    atomicAdd(mine + (word & 255), 1);
    atomicAdd(mine + (word >> 8 & 255), 1);
    atomicAdd(mine + (word >> 16 & 255), 1);
    atomicAdd(mine + (word >> 24 & 255), 1);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kByteBins; bin += kByteThreads) {
    unsigned sum = 0;
    for (unsigned i = 0; i < kByteWarps; ++i) sum += counters[bin + i * kByteBins];
    parts[blockIdx.x * kByteBins + bin] = sum;
  }
}

/// Sums the parts of the blocks. A block for each bin.
extern "C" __global__ void sum_bytes(unsigned* bins, const unsigned* parts, unsigned count) {
  __shared__ unsigned sums[kSumThreads];
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += kSumThreads) {
    sum += parts[blockIdx.x + i * kByteBins];
  }
  sums[threadIdx.x] = sum;
  for (unsigned stride = kSumThreads / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) bins[blockIdx.x] = sums[0];
}

inline bool run_histogram256(Bench& bench) {
  constexpr unsigned kWords = 16 << 20, kBlocks = 240;
  std::vector<unsigned> data(kWords), expected(kByteBins);
  std::uint32_t state = 2009;
  for (unsigned& word : data) {
    word = 0;
    for (int byte = 0; byte < 4; ++byte) {
      state = state * 1664525u + 1013904223u;
      word |= (state >> 24) << (8 * byte);
      ++expected[state >> 24];
    }
  }
  DeviceBuffer<unsigned> words(data), parts(kBlocks * kByteBins), bins(kByteBins);
  bench.launch_at_once("count_bytes", count_bytes, kBlocks, kByteThreads, 0, parts.data(),
                       words.data(), kWords);
  bench.launch_at_once("sum_bytes", sum_bytes, kByteBins, kSumThreads, 0, bins.data(), parts.data(),
                       kBlocks);
  return check_equal("histogram256", expected, bins.download());
}

}  // namespace raddle::workloads::kernels
