// Contended words: reductions of all warps on few lines, floating-point additions of a block on few
// words of shared memory, fences, and loads of the same lines by all multiprocessors.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/bandwidth.cuh"
#include "micro/clock.cuh"
#include "micro/device.h"
#include "micro/report.h"

namespace raddle::workloads::micro {

constexpr unsigned kContenders = 256;  // threads of a block
constexpr unsigned kPageWords = 1024;  // the first line begins a page of 4 KB

/// Each warp adds 1 to 32 words, `rounds` times: to the words of a line, or (`apart`) to one word
/// in each of 32 sectors, four sectors a line. Each round uses the next of `lines` lines.
__global__ void reduce_lines(unsigned* words, unsigned lines, bool apart, unsigned rounds,
                             Span* spans) {
  const unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  __syncthreads();
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned line = (warp + round) % lines;
    const unsigned at = apart ? (line + lane / 4) % lines * 32 + lane % 4 * 8 : line * 32 + lane;
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(words + at), "r"(1u) : "memory");
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
}

/// Measures the SM cycles of the GPU for one such instruction of a warp.
inline void measure_reductions(Report& report, const std::string& name, unsigned lines,
                               bool apart) {
  constexpr unsigned kRounds = 16;
  const unsigned blocks = 2 * device_properties().multiProcessorCount;
  DeviceBuffer<unsigned> words(32 * lines + kPageWords);
  const auto begin = reinterpret_cast<std::uintptr_t>(words.data()) / sizeof(unsigned);
  unsigned* const first = words.data() + (kPageWords - begin % kPageWords) % kPageWords;
  DeviceBuffer<Span> spans(blocks);
  double cycles[2];
  for (const unsigned runs : {1u, 2u}) {
    words.fill_bytes(0);
    reduce_lines<<<blocks, kContenders>>>(first, lines, apart, runs * kRounds, spans.data());
    CHECK_CUDA(cudaGetLastError());
    cycles[runs - 1] = longest(spans.download());
    const unsigned adds = blocks * kContenders * runs * kRounds;
    report.check(name, sum_of(words.download()) == adds, "the sum is wrong");
  }
  report.add(name, (cycles[1] - cycles[0]) / (blocks * kContenders / 32 * kRounds), "cycles");
}

/// Each thread adds 1.0 to one of `used` words, `rounds` times. Each round moves by seven words.
__global__ void add_floats(unsigned used, unsigned rounds, Span* spans, float* sums) {
  __shared__ float words[kContenders];
  for (unsigned i = threadIdx.x; i < kContenders; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    atomicAdd(&words[(threadIdx.x + round * 7) % used], 1.f);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *spans = {start, clock_now()};
    float sum = 0;
    for (unsigned i = 0; i < used; ++i) sum += words[i];
    *sums = sum;
  }
}

/// Measures the SM cycles of a block for a round.
inline void measure_float_additions(Report& report, unsigned words, unsigned threads) {
  constexpr unsigned kRounds = 16;
  const std::string name =
      "contended.shared_float_" + std::to_string(words) + "_of_" + std::to_string(threads);
  DeviceBuffer<Span> span(1);
  DeviceBuffer<float> sum(1);
  double cycles[2];
  for (const unsigned runs : {1u, 2u}) {
    add_floats<<<1, threads>>>(words, runs * kRounds, span.data(), sum.data());
    CHECK_CUDA(cudaGetLastError());
    cycles[runs - 1] = longest(span.download());
    report.check(name, sum.get(0) == float(threads * runs * kRounds), "the sum is wrong");
  }
  report.add(name, (cycles[1] - cycles[0]) / kRounds, "cycles");
}

/// One lane of each warp stores a word, and all lanes fence, `rounds` times.
__global__ void fence_often(unsigned* words, unsigned rounds, Span* spans) {
  unsigned* const mine = words + blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    if (threadIdx.x % 32 == 0) *const_cast<volatile unsigned*>(mine) = round;
    __threadfence();
  }
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
}

inline void measure_fences(Report& report, unsigned threads) {
  constexpr unsigned kRounds = 32;
  const unsigned blocks = device_properties().multiProcessorCount;
  DeviceBuffer<unsigned> words(blocks * threads);
  DeviceBuffer<Span> spans(blocks);
  fence_often<<<blocks, threads>>>(words.data(), kRounds, spans.data());
  CHECK_CUDA(cudaGetLastError());
  const std::string name = "contended.fence_" + std::to_string(threads);
  const Span first = spans.get(0);
  report.check(name, words.get(0) == kRounds - 1, "the last store is not there");
  report.add(name, double(first.end - first.start) / kRounds, "cycles");
}

/// All blocks load the same words at the same time. Lanes are `stride` words apart. In each round
/// each warp reads a part of its own. Four loads of a warp are in flight.
__global__ void load_same(const unsigned* words, unsigned stride, unsigned rounds, Span* spans,
                          unsigned* sums) {
  const unsigned* mine = words + threadIdx.x * stride;
  const unsigned step = blockDim.x * stride;
  unsigned sum = 0;
  __syncthreads();
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round += 4) {
    unsigned part[4];
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) {
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(part[n]) : "l"(mine + n * step));
    }
    sum += part[0] + part[1] + part[2] + part[3];
    mine += 4 * step;
  }
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Measures the cycles of a multiprocessor for a load of a warp, if all multiprocessors load the
/// same words.
inline void measure_same_loads(Report& report, unsigned stride) {
  constexpr unsigned kRounds = 64, kThreads = 1024;
  const unsigned blocks = device_properties().multiProcessorCount;
  const std::string name = "contended.load_same_stride_" + std::to_string(stride);
  DeviceBuffer<unsigned> words(std::vector<unsigned>(kRounds * kThreads * stride, 1));
  DeviceBuffer<unsigned> sums(blocks * kThreads);
  DeviceBuffer<Span> spans(blocks);
  for (int run = 0; run < 2; ++run) {  // the first one fills the L2 cache
    load_same<<<blocks, kThreads>>>(words.data(), stride, kRounds, spans.data(), sums.data());
    CHECK_CUDA(cudaGetLastError());
  }
  report.check(name, sum_of(sums.download()) == blocks * kThreads * kRounds, "the sum is wrong");
  const Span first = spans.get(0);
  report.add(name, double(first.end - first.start) / (kRounds * kThreads / 32), "cycles");
}

inline void measure_contention(Report& report) {
  for (const unsigned lines : {1u, 8u, 192u}) {
    const std::string of = std::to_string(lines);
    measure_reductions(report, "contended.reduce_lines_" + of, lines, false);
    measure_reductions(report, "contended.reduce_sectors_" + of, lines, true);
  }
  for (const unsigned threads : {32u, 256u}) {
    for (const unsigned words : {1u, 8u, 32u, 256u})
      measure_float_additions(report, words, threads);
  }
  for (const unsigned threads : {32u, 256u, 1024u}) measure_fences(report, threads);
  for (const unsigned stride : {1u, 4u, 8u, 16u}) measure_same_loads(report, stride);
}

}  // namespace raddle::workloads::micro
