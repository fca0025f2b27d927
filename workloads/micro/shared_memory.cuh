// Shared memory: bank conflicts by stride, bandwidth; atomics on it and on global memory.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/bandwidth.cuh"
#include "micro/clock.cuh"
#include "micro/report.h"

namespace raddle::workloads::micro {

constexpr int kShortRun = 8, kLongRun = 40, kRunRounds = 2;
constexpr int kRunSteps = kRunRounds * (kShortRun + kLongRun);

/// Times a short and a long run of dependent steps, twice, to out[0] and out[1]. `step(x)` returns
/// the operand of the next step.
template <class Step>
__device__ unsigned time_steps(unsigned x, unsigned* out, Step step) {
#pragma unroll 1
  for (int round = 0; round < kRunRounds; ++round) {
    unsigned start = clock_now();
#pragma unroll
    for (int i = 0; i < kShortRun; ++i) x = step(x);
    wait_for(x, out + 2);
    const unsigned short_time = clock_now() - start;
    start = clock_now();
#pragma unroll
    for (int i = 0; i < kLongRun; ++i) x = step(x);
    wait_for(x, out + 2);
    const unsigned long_time = clock_now() - start;
    if (threadIdx.x == 0) out[0] = short_time, out[1] = long_time;
  }
  return x;
}

inline double cycles_a_step(const std::vector<unsigned>& out) {
  return double(out[1] - out[0]) / (kLongRun - kShortRun);
}

/// Each lane follows a pointer to itself. The pointers of neighbours are `stride` words apart.
__global__ void chase_banks(unsigned stride, unsigned* out) {
  __shared__ unsigned words[32 * 32];
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  const unsigned mine = base + threadIdx.x * stride * 4;
  words[threadIdx.x * stride] = mine;
  __syncthreads();
  const unsigned end = time_steps(mine, out, [](unsigned at) {
    unsigned next;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(at) : "memory");
    return next;
  });
  out[3 + threadIdx.x] = end - base;
}

inline void measure_bank_conflicts(Report& report) {
  for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const std::string name = "shared.stride_" + std::to_string(stride);
    DeviceBuffer<unsigned> out(3 + 32);
    chase_banks<<<1, 32>>>(stride, out.data());
    CHECK_CUDA(cudaGetLastError());
    const std::vector<unsigned> found = out.download();
    for (unsigned lane = 0; lane < 32; ++lane) {
      report.check(name, found[3 + lane] == lane * stride * 4, "a lane ended at another word");
    }
    report.add(name, cycles_a_step(found), "cycles");
  }
}

constexpr unsigned kSharedThreads = 1024, kSharedReads = 16, kSharedRounds = 33;

/// All threads read shared memory without conflicts; the first round is not timed.
__global__ void __launch_bounds__(1024) read_shared(Span* span, unsigned* sums) {
  __shared__ unsigned words[kSharedThreads + kSharedReads * 32];
  for (unsigned i = threadIdx.x; i < kSharedThreads + kSharedReads * 32; i += kSharedThreads) {
    words[i] = i;
  }
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(words)) + threadIdx.x * 4;
  unsigned sum[kSharedReads] = {}, start = 0;
#pragma unroll 1
  for (unsigned round = 0; round < kSharedRounds; ++round) {
    if (round <= 1) {
      __syncthreads();
      start = clock_now();
    }
    unsigned part[kSharedReads];
#pragma unroll
    for (unsigned i = 0; i < kSharedReads; ++i) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(part[i]) : "r"(base + i * 32 * 4) : "memory");
    }
#pragma unroll
    for (unsigned i = 0; i < kSharedReads; ++i) sum[i] += part[i];
  }
  __syncthreads();
  if (threadIdx.x == 0) *span = {start, clock_now()};
  unsigned all = 0;
  for (const unsigned part : sum) all += part;
  sums[threadIdx.x] = all;
}

inline void measure_shared_bandwidth(Report& report) {
  DeviceBuffer<Span> span(1);
  DeviceBuffer<unsigned> sums(kSharedThreads);
  read_shared<<<1, kSharedThreads>>>(span.data(), sums.data());
  CHECK_CUDA(cudaGetLastError());
  unsigned expected = 0;
  for (unsigned i = 0; i < kSharedReads; ++i) {
    for (unsigned thread = 0; thread < kSharedThreads; ++thread) {
      expected += kSharedRounds * (thread + i * 32);
    }
  }
  report.check("bandwidth.shared", sum_of(sums.download()) == expected,
               "the sum is not that of the CPU");
  const double bytes = 4.0 * kSharedThreads * kSharedReads * (kSharedRounds - 1);
  report.add("bandwidth.shared", bytes / longest(span.download()), "B/cycle/SM");
}

}  // namespace raddle::workloads::micro
