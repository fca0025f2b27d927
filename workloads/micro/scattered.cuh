// Loads and stores of warps whose lanes are `stride` words apart, past the L1 cache.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/bandwidth.cuh"
#include "micro/clock.cuh"
#include "micro/device.h"
#include "micro/report.h"

namespace raddle::workloads::micro {

constexpr unsigned kScatteredThreads = 1024, kScatteredRounds = 16;
constexpr unsigned kScatteredWords = 1 << 22;  // 16 MB: in the L2 cache, and not in L1

/// Each warp loads or stores the next 32 words of its block's, `stride` apart, again and again. Blocks
/// take the same words.
__global__ void go_scattered(unsigned* words, unsigned stride, bool store, unsigned rounds,
                             Span* spans, unsigned* sums) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  unsigned sum = 0;
  __syncthreads();
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned at = (((round * warps + warp) * 32 + lane) * stride) % kScatteredWords;
    if (store) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(words + at), "r"(1u) : "memory");
    } else {
      unsigned value;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(words + at) : "memory");
      sum += value;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// SM cycles an instruction of a warp takes, of all blocks side by side.
inline void measure_scattered(Report& report, unsigned stride, bool store) {
  const unsigned blocks = device_properties().multiProcessorCount;
  DeviceBuffer<unsigned> words(kScatteredWords), sums(blocks * kScatteredThreads);
  DeviceBuffer<Span> spans(blocks);
  words.fill_bytes(1);
  const std::string name =
      std::string(store ? "scattered.store_" : "scattered.load_") + std::to_string(stride);
  // The first time fills the L2 cache.
  for (int time = 0; time < 2; ++time) {
    go_scattered<<<blocks, kScatteredThreads>>>(words.data(), stride, store, kScatteredRounds,
                                                spans.data(), sums.data());
    CHECK_CUDA(cudaGetLastError());
  }
  const unsigned each = store ? 0 : kScatteredRounds * 0x01010101u;
  report.check(name, sum_of(sums.download()) == blocks * kScatteredThreads * each,
               "the sum is not that of the CPU");
  const double instructions = kScatteredRounds * (kScatteredThreads / 32);
  report.add(name, longest(spans.download()) / instructions, "cycles");
}

inline void measure_scattering(Report& report) {
  for (const bool store : {false, true}) {
    for (const unsigned stride : {1u, 2u, 8u, 32u}) measure_scattered(report, stride, store);
  }
}

}  // namespace raddle::workloads::micro
