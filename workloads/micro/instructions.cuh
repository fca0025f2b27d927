// Latency and throughput of instruction classes: chains of one instruction.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/clock.cuh"
#include "micro/device.h"
#include "micro/instruction_list.cuh"
#include "micro/report.h"

namespace raddle::workloads::micro {

/// `chains` independent chains. Their values come from memory, so the compiler cannot see that they
/// are equal. They are not arrays, because a compiler may leave arrays in memory.
template <class Instruction, int chains>
struct Chains {
  using Value = typename Instruction::Value;
  Value a, b;
  Chains<Instruction, chains - 1> others;

  __device__ Chains(const Value* starts, unsigned stride)
      : a(starts[0]), b(starts[stride]), others(starts + 2 * stride, stride) {}
  __device__ __forceinline__ void link_a(Value c) {
    Instruction::link(a, b, c);
    others.link_a(c);
  }
  __device__ __forceinline__ void link_b(Value d) {
    Instruction::link(b, a, d);
    others.link_b(d);
  }
  __device__ void store(Value* ends, unsigned stride) const {
    *ends = b;
    others.store(ends + stride, stride);
  }
};
template <class Instruction>
struct Chains<Instruction, 0> {
  using Value = typename Instruction::Value;
  __device__ Chains(const Value*, unsigned) {}
  __device__ __forceinline__ void link_a(Value) {}
  __device__ __forceinline__ void link_b(Value) {}
  __device__ void store(Value*, unsigned) const {}
};

/// How chains are timed: `rounds` rounds of a loop with `short_links` links, and as many of one
/// with `long_links` links. Both are even. Both loops branch equally often, so the difference is
/// the time of links alone. If a link is many instructions there are few, so that code stays in the
/// nearest cache.
struct ChainTimes {
  int chains, short_links, long_links, rounds;
};
constexpr ChainTimes kLatency = {1, 8, 40, 4};
constexpr ChainTimes throughput_of(bool sequence) { return {sequence ? 4 : 8, 2, 8, 16}; }
constexpr int kPasses = 2;  // in the second, instructions are in their caches

/// Makes sure that all warps of the block are here before one reads its clock. For sm_90, ptxas
/// makes barriers at which a warp waits only later (BAR.SYNC.DEFER_BLOCKING). With a single barrier
/// on an H200, early warps read their clock while others were still in the previous chains: the
/// result was 364 fp32_add a cycle, although 128 can issue. At a second barrier, warps have waited
/// for the first.
__device__ __forceinline__ void meet() {
  __syncthreads();
  __syncthreads();
}

template <int links, class Chains, class Value>
__device__ __forceinline__ void run_links(Chains& chains, int rounds, Value c, Value d) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < links; i += 2) {
      chains.link_a(c);
      chains.link_b(d);
    }
  }
}

/// Writes the clock of lane 0 of each warp: [warp][start, end] of the short chains, then of the
/// long ones. Also writes the last values of each thread's chains. `starts` has for each thread two
/// values of each chain, then c twice.
template <class Instruction, int kChains, int kShort, int kLong>
__global__ void __launch_bounds__(1024)
    time_chains(const typename Instruction::Value* starts, int rounds, unsigned* clocks,
                typename Instruction::Value* ends) {
  using Value = typename Instruction::Value;
  starts += threadIdx.x;
  ends += threadIdx.x;
  Chains<Instruction, kChains> chains(starts, blockDim.x);
  const Value c = starts[2 * kChains * blockDim.x], d = starts[(2 * kChains + 1) * blockDim.x];
  unsigned times[4];
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    if (threadIdx.x == 0) *ends = chains.b;  // waits for the chain
    meet();
    times[0] = clock_now();
    run_links<kShort>(chains, rounds, c, d);
    times[1] = clock_now();
    if (threadIdx.x == 0) *ends = chains.b;
    meet();
    times[2] = clock_now();
    run_links<kLong>(chains, rounds, c, d);
    times[3] = clock_now();
  }
  if (threadIdx.x % 32 == 0) {
    for (int i = 0; i < 4; ++i) clocks[threadIdx.x / 32 * 4 + i] = times[i];
  }
  chains.store(ends, blockDim.x);
}

template <class Instruction>
typename Instruction::Value reference_value(int links) {
  auto a = Instruction::start_a, b = Instruction::start_b;
  for (int i = 0; i < links; i += 2) {
    a = Instruction::reference(a, b, Instruction::start_c);
    b = Instruction::reference(b, a, Instruction::start_c);
  }
  return b;
}

template <class Instruction>
void check_ends(Report& report, const std::vector<typename Instruction::Value>& ends, int links) {
  const auto expected = static_cast<double>(reference_value<Instruction>(links));
  bool right = true;
  for (const auto end : ends) {
    const auto found = static_cast<double>(end);
    // Errors of approximations pass from link to link.
    right = right && (expected == found || std::abs(expected - found) <= 1e-2 * std::abs(expected));
  }
  report.check(Instruction::name, right, "a chain's value is not that of the CPU");
}

/// From the first warp's start to the last one's end, of the short chains (0) or the long ones (2).
inline double spanned(const std::vector<unsigned>& times, unsigned first) {
  unsigned start = times[first], end = times[first + 1];
  for (std::size_t warp = 1; warp < times.size() / 4; ++warp) {
    const unsigned* of = &times[warp * 4 + first];  // clocks wrap around, differences do not
    if (static_cast<int>(of[0] - start) < 0) start = of[0];
    if (static_cast<int>(of[1] - end) > 0) end = of[1];
  }
  return double(end - start);
}

/// Measures the cycles that an additional link of each chain takes in a block of `threads`.
template <class Instruction, int kChains, int kShort, int kLong>
double cycles_of_link(Report& report, unsigned threads, int rounds) {
  using Value = typename Instruction::Value;
  std::vector<Value> values((2 * kChains + 2) * threads);
  for (unsigned i = 0; i < values.size(); ++i) {
    const unsigned row = i / threads;
    values[i] = row >= 2 * kChains ? Instruction::start_c
                : row % 2 == 0     ? Instruction::start_a
                                   : Instruction::start_b;
  }
  DeviceBuffer<Value> starts(values), ends(threads * kChains);
  DeviceBuffer<unsigned> clocks(threads / 32 * 4);
  time_chains<Instruction, kChains, kShort, kLong>
      <<<1, threads>>>(starts.data(), rounds, clocks.data(), ends.data());
  CHECK_CUDA(cudaGetLastError());
  check_ends<Instruction>(report, ends.download(), kPasses * rounds * (kShort + kLong));
  const std::vector<unsigned> times = clocks.download();
  return (spanned(times, 2) - spanned(times, 0)) / rounds / (kLong - kShort);
}

/// Instructions of a link on this GPU.
template <class Instruction>
int instructions_of_link() {
  return device_properties().major >= 5 ? Instruction::joined : Instruction::per_link;
}

template <class Instruction>
void measure_latency(Report& report) {
  constexpr ChainTimes t = kLatency;
  const double cycles =
      cycles_of_link<Instruction, t.chains, t.short_links, t.long_links>(report, 32, t.rounds);
  report.add(std::string("latency.") + Instruction::name,
             cycles / instructions_of_link<Instruction>(), "cycles");
}

template <class Instruction>
void measure_throughput(Report& report) {
  constexpr ChainTimes t = throughput_of(Instruction::sequence);
  constexpr unsigned kThreads = 1024;
  const double cycles = cycles_of_link<Instruction, t.chains, t.short_links, t.long_links>(
      report, kThreads, t.rounds);
  report.add(std::string("throughput.") + Instruction::name,
             double(t.chains) * kThreads * instructions_of_link<Instruction>() / cycles,
             "results/cycle/SM");
}

template <class... Instructions>
void measure_latencies(Report& report, InstructionList<Instructions...>) {
  (measure_latency<Instructions>(report), ...);
}
template <class... Instructions>
void measure_throughputs(Report& report, InstructionList<Instructions...>) {
  (measure_throughput<Instructions>(report), ...);
}

}  // namespace raddle::workloads::micro
