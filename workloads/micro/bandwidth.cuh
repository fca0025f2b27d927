// Bandwidth of each level of memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/clock.cuh"
#include "micro/core_clock.cuh"
#include "micro/device.h"
#include "micro/report.h"

namespace raddle::workloads::micro {

struct ReadCached {
  __device__ static unsigned load(const unsigned* at) {
    unsigned value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
  }
};
struct ReadUncached {
  __device__ static unsigned load(const unsigned* at) {
    unsigned value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
  }
};
struct ReadReadOnly {
  __device__ static unsigned load(const unsigned* at) {
    unsigned value;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
  }
};

/// Start and end of a block, on the clock of its multiprocessor.
struct Span {
  unsigned start, end;
};

constexpr unsigned kCacheThreads = 1024, kLoadsARound = 8;

/// Each block reads from values[block * words % all_words], kLoadsARound words a thread and round,
/// `spacing` words apart. `step` is 0, but the compiler does not know it; otherwise it would load
/// only once for all rounds. sums[block * threads + thread] is the sum of the words that the thread
/// has read.
template <class Read, unsigned spacing>
__global__ void __launch_bounds__(1024)
    read_rounds(const unsigned* values, unsigned words, unsigned all_words, unsigned rounds,
                unsigned step, Span* spans, unsigned* sums) {
  const unsigned* mine = values + blockIdx.x * words % all_words + threadIdx.x;
  unsigned sum[kLoadsARound] = {};
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned part[kLoadsARound];
#pragma unroll
    for (unsigned n = 0; n < kLoadsARound; ++n) part[n] = Read::load(mine + n * spacing);
#pragma unroll
    for (unsigned n = 0; n < kLoadsARound; ++n) sum[n] += part[n];
    mine += step;
  }
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
  unsigned all = 0;
  for (const unsigned part : sum) all += part;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

/// The whole grid reads memory once that is not in a cache, 16 bytes a thread and load.
__global__ void __launch_bounds__(1024)
    read_stream(const uint4* values, unsigned count, Span* spans, unsigned* sums) {
  const unsigned start = clock_now();
  const unsigned stride = gridDim.x * blockDim.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += 4 * stride) {
    uint4 part[4];
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) part[n] = __ldcs(values + i + n * stride);
#pragma unroll
    for (int n = 0; n < 4; ++n) sum += part[n].x + part[n].y + part[n].z + part[n].w;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
}

/// The longest time of a block, in cycles. Blocks run side by side.
inline double longest(const std::vector<Span>& spans) {
  unsigned most = 0;
  for (const Span& span : spans) most = std::max(most, span.end - span.start);
  return most;
}

inline unsigned sum_of(const std::vector<unsigned>& values) {
  unsigned sum = 0;
  for (const unsigned value : values) sum += value;
  return sum;
}

/// Words that a block of read_rounds() reads.
constexpr unsigned words_read(unsigned spacing) {
  return kCacheThreads + (kLoadsARound - 1) * spacing;
}

/// Measures the bytes a cycle that `blocks` blocks read from a cache that holds their data. Each
/// block reads one of `parts` parts. Measured are the second `rounds` rounds, since blocks begin
/// one after the other in the first.
template <class Read, unsigned spacing>
void measure_cache(Report& report, const std::string& name, unsigned blocks, unsigned parts,
                   unsigned rounds, const char* unit) {
  constexpr unsigned words = words_read(spacing);
  const unsigned all_words = parts * words;
  std::vector<unsigned> values(all_words);
  for (unsigned i = 0; i < all_words; ++i) values[i] = i % 5;
  DeviceBuffer<unsigned> device_values(values), sums(blocks * kCacheThreads);
  DeviceBuffer<Span> spans(blocks);
  const auto cycles_of = [&](unsigned times) {
    read_rounds<Read, spacing><<<blocks, kCacheThreads>>>(device_values.data(), words, all_words,
                                                          times, 0, spans.data(), sums.data());
    CHECK_CUDA(cudaGetLastError());
    unsigned expected = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      const unsigned* first = &values[block * words % all_words];
      for (unsigned n = 0; n < kLoadsARound; ++n) {
        for (unsigned i = 0; i < kCacheThreads; ++i) expected += times * first[n * spacing + i];
      }
    }
    report.check(name, sum_of(sums.download()) == expected, "the sum is not that of the CPU");
    return longest(spans.download());
  };
  cycles_of(1);  // fills the L2 cache
  const double once = cycles_of(rounds), twice = cycles_of(2 * rounds);
  const double bytes = 4.0 * kCacheThreads * kLoadsARound * blocks * rounds;
  report.add(name, bytes / (twice - once), unit);
}

/// Measures the gigabytes a second that the whole grid reads from DRAM.
inline void measure_dram(Report& report, const cudaDeviceProp& properties) {
  constexpr unsigned kThreads = 512;
  int fit = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, read_stream, kThreads, 0));
  const unsigned blocks = properties.multiProcessorCount * std::min(fit, 2);
  const unsigned count = blocks * kThreads * 4 * 4;  // 256 bytes per thread
  const double gigabytes = count * sizeof(uint4) * 1e-9;
  std::vector<uint4> values(count);
  unsigned expected = 0;
  for (unsigned i = 0; i < count; ++i) {
    values[i] = make_uint4(i, 1, 2, 3);
    expected += i + 6;
  }
  DeviceBuffer<uint4> device_values(values);
  DeviceBuffer<unsigned> sums(blocks * kThreads);
  DeviceBuffer<Span> spans(blocks);
  DeviceBuffer<char> other(std::size_t{2} * properties.l2CacheSize);
  other.fill_bytes(0);
  read_stream<<<blocks, kThreads>>>(device_values.data(), count, spans.data(), sums.data());
  CHECK_CUDA(cudaGetLastError());
  report.check("bandwidth.dram_read", sum_of(sums.download()) == expected,
               "the sum is not that of the CPU");
  report.add("bandwidth.dram_read", gigabytes * core_mhz() * 1e6 / longest(spans.download()),
             "GB/s");
}

inline void measure_bandwidths(Report& report) {
  const cudaDeviceProp properties = device_properties();
  const unsigned sms = properties.multiProcessorCount;
  // For L1, warps read neighbouring lines. For L2, blocks read different parts of half its size.
  constexpr unsigned kL1Spacing = 32, kL2Spacing = kCacheThreads;
  const unsigned parts =
      std::min<unsigned>(sms, properties.l2CacheSize / 2 / (words_read(kL2Spacing) * 4));
  measure_cache<ReadCached, kL1Spacing>(report, "bandwidth.global_cached", 1, 1, 16, "B/cycle/SM");
  measure_cache<ReadReadOnly, kL1Spacing>(report, "bandwidth.read_only", 1, 1, 16, "B/cycle/SM");
  measure_cache<ReadUncached, kL2Spacing>(report, "bandwidth.l2", sms, parts, 4, "B/cycle");
  measure_dram(report, properties);
}

}  // namespace raddle::workloads::micro
