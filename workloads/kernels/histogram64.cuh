// Histogram of 64 bins with a byte counter for each thread and bin in shared memory (Podlozhnyuk,
// "Histogram calculation in CUDA", NVIDIA 2007). Sizes and launches are those of the CUDA sample
// histogram.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr unsigned kBins = 64, kHistogramThreads = 64;

/// A thread's counters begin at `mine` and are kHistogramThreads bytes apart. The highest six bits
/// of each byte are its bin.
__device__ inline void count_word(unsigned char* mine, unsigned word) {
  mine[(word >> 2 & 63) * kHistogramThreads]++;
  mine[(word >> 10 & 63) * kHistogramThreads]++;
  mine[(word >> 18 & 63) * kHistogramThreads]++;
  mine[(word >> 26 & 63) * kHistogramThreads]++;
}

/// Writes the counts of each block. A thread may count up to 255 bytes.
extern "C" __global__ void histogram_of_blocks(unsigned* parts, const uint4* data, unsigned count) {
  __shared__ unsigned char counters[kHistogramThreads * kBins];
  auto* const words = reinterpret_cast<unsigned*>(counters);
  // Sixteen threads use the same byte of sixteen consecutive banks.
  unsigned char* const mine =
      counters + ((threadIdx.x & ~63u) | (threadIdx.x & 15) << 2 | (threadIdx.x & 48) >> 4);
#pragma unroll
  for (unsigned i = 0; i < kBins / 4; ++i) words[threadIdx.x + i * kHistogramThreads] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const uint4 value = data[i];
    count_word(mine, value.x);
    count_word(mine, value.y);
    count_word(mine, value.z);
    count_word(mine, value.w);
  }
  __syncthreads();
  if (threadIdx.x < kBins) {
    const unsigned char* const row = counters + threadIdx.x * kHistogramThreads;
    unsigned sum = 0, at = 4 * (threadIdx.x & 15);
#pragma unroll
    for (unsigned i = 0; i < kHistogramThreads / 4; ++i) {
      sum += row[at] + row[at + 1] + row[at + 2] + row[at + 3];
      at = (at + 4) & (kHistogramThreads - 1);
    }
    parts[blockIdx.x * kBins + threadIdx.x] = sum;
  }
}

/// Counts 64 MB. A thread gets as many bytes as a byte counter can count.
inline bool run_histogram64(Bench& bench) {
  constexpr unsigned kBytes = 64 << 20, kMostVectors = 255 / sizeof(uint4);
  constexpr unsigned kVectors = kBytes / sizeof(uint4);
  constexpr unsigned kOfBlock = kHistogramThreads * kMostVectors;
  constexpr unsigned kBlocks = (kVectors + kOfBlock - 1) / kOfBlock;
  std::vector<uint4> data(kVectors);
  std::vector<unsigned> expected(kBins);
  std::uint32_t state = 2006;
  const auto next = [&] {
    unsigned word = 0;
    for (int byte = 0; byte < 4; ++byte) {
      state = state * 1664525u + 1013904223u;
      word |= (state >> 24) << (8 * byte);
      ++expected[state >> 26];
    }
    return word;
  };
  for (uint4& value : data) {
    value.x = next(), value.y = next(), value.z = next(), value.w = next();
  }
  DeviceBuffer<uint4> device_data(data);
  DeviceBuffer<unsigned> parts(kBlocks * kBins);
  bench.launch("histogram_of_blocks", histogram_of_blocks, kBlocks, kHistogramThreads, 0,
               parts.data(), device_data.data(), kVectors);
  const std::vector<unsigned> counts = parts.download();
  std::vector<unsigned> found(kBins);
  for (std::size_t i = 0; i < counts.size(); ++i) found[i % kBins] += counts[i];
  return check_equal("histogram64", expected, found);
}

}  // namespace raddle::workloads::kernels
