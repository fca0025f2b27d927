// Latency and throughput of instruction classes: chains of one instruction, written in PTX so that
// the compiler neither removes nor replaces it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/clock.cuh"
#include "micro/report.h"

namespace raddle::workloads::micro {

/// An instruction: `link` makes a new `a` (%0) from the old one (%1), `b` (%2), which is the latest
/// value of a chain, so that links wait for each other, and `c` (%3); `reference` does the same on
/// the CPU. A link is `per_link` instructions.
#define MICRO_INSTRUCTION(NAME, VALUE, CONSTRAINT, PTX, PER_LINK, REFERENCE)                  \
  struct NAME {                                                                               \
    using Value = VALUE;                                                                      \
    static constexpr const char* name = #NAME;                                                \
    static constexpr int per_link = PER_LINK;                                                 \
    __device__ __forceinline__ static void link(Value& a, Value b, Value c) {                 \
      Value made;                                                                             \
      asm volatile(PTX : "=" CONSTRAINT(made) : CONSTRAINT(a), CONSTRAINT(b), CONSTRAINT(c)); \
      a = made;                                                                               \
    }                                                                                         \
    static Value reference(Value a, Value b, Value c) {                                       \
      (void)a, (void)b, (void)c;                                                              \
      return REFERENCE;                                                                       \
    }                                                                                         \
  };

inline std::uint32_t lowest_of(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(
      std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)));
}
inline std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
  const std::int64_t product =
      std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b);
  return static_cast<std::uint32_t>(product >> 32);
}
inline std::uint32_t leading_zeros(std::uint32_t a) { return a == 0 ? 32 : __builtin_clz(a); }
inline std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) / static_cast<std::int32_t>(b));
}

namespace instruction {
MICRO_INSTRUCTION(int_add, std::uint32_t, "r", "add.s32 %0, %1, %2;", 1, a + b)
MICRO_INSTRUCTION(int_logic, std::uint32_t, "r", "xor.b32 %0, %1, %2;", 1, a ^ b)
MICRO_INSTRUCTION(int_shift, std::uint32_t, "r", "shl.b32 %0, %2, %3;", 1, b << c)
MICRO_INSTRUCTION(int_min, std::uint32_t, "r", "min.s32 %0, %1, %2;", 1, lowest_of(a, b))
MICRO_INSTRUCTION(int_mad, std::uint32_t, "r", "mad.lo.s32 %0, %2, %3, %1;", 1, b* c + a)
MICRO_INSTRUCTION(int_mul_hi, std::uint32_t, "r", "mul.hi.s32 %0, %1, %2;", 1, high_product(a, b))
MICRO_INSTRUCTION(int_div, std::uint32_t, "r", "div.s32 %0, %2, %3;", 1, quotient(b, c))
MICRO_INSTRUCTION(bit_field, std::uint32_t, "r", "bfi.b32 %0, %2, %1, 3, 9;", 1,
                  (a & ~(0x1ffu << 3)) | (b & 0x1ffu) << 3)
MICRO_INSTRUCTION(popc, std::uint32_t, "r", "popc.b32 %0, %2;", 1, std::bitset<32>(b).count())
MICRO_INSTRUCTION(clz, std::uint32_t, "r", "clz.b32 %0, %2;", 1, leading_zeros(b))
MICRO_INSTRUCTION(shuffle, std::uint32_t, "r", "shfl.sync.bfly.b32 %0, %2, 1, 31, -1;", 1, b)
MICRO_INSTRUCTION(fp32_add, float, "f", "add.rn.f32 %0, %1, %2;", 1, a + b)
MICRO_INSTRUCTION(fp32_fma, float, "f", "fma.rn.f32 %0, %2, %3, %1;", 1, std::fma(b, c, a))
MICRO_INSTRUCTION(fp32_div, float, "f", "div.rn.f32 %0, %2, %3;", 1, b / c)
MICRO_INSTRUCTION(fp32_rcp, float, "f", "rcp.rn.f32 %0, %2;", 1, 1 / b)
MICRO_INSTRUCTION(fp32_sqrt, float, "f", "sqrt.rn.f32 %0, %2;", 1, std::sqrt(b))
MICRO_INSTRUCTION(rsqrt, float, "f", "rsqrt.approx.f32 %0, %2;", 1, 1 / std::sqrt(b))
MICRO_INSTRUCTION(sin, float, "f", "sin.approx.f32 %0, %2;", 1, std::sin(b))
MICRO_INSTRUCTION(fp64_fma, double, "d", "fma.rn.f64 %0, %2, %3, %1;", 1, std::fma(b, c, a))
MICRO_INSTRUCTION(fp64_div, double, "d", "div.rn.f64 %0, %2, %3;", 1, b / c)
MICRO_INSTRUCTION(convert, float, "f",
                  "{ .reg .s32 t; cvt.rzi.s32.f32 t, %2; cvt.rn.f32.s32 %0, t; }", 2,
                  static_cast<float>(static_cast<std::int32_t>(b)))
MICRO_INSTRUCTION(convert_wide, float, "f",
                  "{ .reg .f64 t; cvt.f64.f32 t, %2; cvt.rn.f32.f64 %0, t; }", 2, b)
}  // namespace instruction

template <class Instruction>
struct Chain {
  using Value = typename Instruction::Value;
  static constexpr int kShort = 8, kLong = 40, kRounds = 2;
  static constexpr int kLinks = kRounds * (kShort + kLong);  // an even number, as each of the two
  // Small enough that nothing overflows, large enough that few links leave it constant.
  static constexpr double kA = 3, kB = 5, kC = 1.25;
};

/// `chains` independent chains. Not arrays: a compiler may leave those in memory.
template <class Instruction, int chains>
struct Chains {
  typename Instruction::Value a, b;
  Chains<Instruction, chains - 1> others;

  __device__ Chains(typename Instruction::Value a, typename Instruction::Value b)
      : a(a), b(b), others(a, b) {}
  __device__ __forceinline__ void link_a(typename Instruction::Value c) {
    Instruction::link(a, b, c);
    others.link_a(c);
  }
  __device__ __forceinline__ void link_b(typename Instruction::Value c) {
    Instruction::link(b, a, c);
    others.link_b(c);
  }
  /// `links` links of each chain, an even number.
  template <int links>
  __device__ __forceinline__ void run(typename Instruction::Value c) {
#pragma unroll
    for (int i = 0; i < links; i += 2) {
      link_a(c);
      link_b(c);
    }
  }
};
template <class Instruction>
struct Chains<Instruction, 0> {
  __device__ Chains(typename Instruction::Value, typename Instruction::Value) {}
  __device__ __forceinline__ void link_a(typename Instruction::Value) {}
  __device__ __forceinline__ void link_b(typename Instruction::Value) {}
};

/// Every thread runs kChains chains twice: the second time, instructions are in their caches.
/// Writes what lane 0 of each warp saw on the clock: [warp][start, end] of the short chains, then
/// of the long ones; and the value of thread 0.
template <class Instruction, int kChains>
__global__ void time_chains(typename Instruction::Value a0, typename Instruction::Value b0,
                            typename Instruction::Value c, unsigned* clocks,
                            typename Instruction::Value* value) {
  using C = Chain<Instruction>;
  Chains<Instruction, kChains> chains(a0, b0);
  unsigned times[4];
#pragma unroll 1
  for (int round = 0; round < C::kRounds; ++round) {
    if (threadIdx.x == 0) *value = chains.b;  // waits for the chain
    __syncthreads();
    times[0] = clock_now();
    chains.template run<C::kShort>(c);
    times[1] = clock_now();
    if (threadIdx.x == 0) *value = chains.b;
    __syncthreads();
    times[2] = clock_now();
    chains.template run<C::kLong>(c);
    times[3] = clock_now();
  }
  if (threadIdx.x % 32 == 0) {
    for (int i = 0; i < 4; ++i) clocks[threadIdx.x / 32 * 4 + i] = times[i];
  }
  if (threadIdx.x == 0) *value = chains.b;
}

template <class Instruction>
typename Instruction::Value reference_value(typename Instruction::Value a,
                                            typename Instruction::Value b,
                                            typename Instruction::Value c) {
  for (int i = 0; i < Chain<Instruction>::kLinks; i += 2) {
    a = Instruction::reference(a, b, c);
    b = Instruction::reference(b, a, c);
  }
  return b;
}

/// Cycles that the additional links of the long chains took a block of `threads`.
template <class Instruction, int kChains>
double cycles_of_links(Report& report, unsigned threads) {
  using Value = typename Instruction::Value;
  using C = Chain<Instruction>;
  const auto a = static_cast<Value>(C::kA), b = static_cast<Value>(C::kB);
  const auto c = static_cast<Value>(C::kC);
  const unsigned warps = threads / 32;
  DeviceBuffer<unsigned> clocks(warps * 4);
  DeviceBuffer<Value> value(1);
  time_chains<Instruction, kChains><<<1, threads>>>(a, b, c, clocks.data(), value.data());
  CHECK_CUDA(cudaGetLastError());
  const std::vector<unsigned> times = clocks.download();
  const auto took = [&](unsigned first) {
    unsigned start = times[first], end = times[first + 1];
    for (unsigned warp = 1; warp < warps; ++warp) {  // clocks wrap round, differences do not
      const unsigned* of = &times[warp * 4 + first];
      if (static_cast<int>(of[0] - start) < 0) start = of[0];
      if (static_cast<int>(of[1] - end) > 0) end = of[1];
    }
    return double(end - start);
  };
  const auto expected = static_cast<double>(reference_value<Instruction>(a, b, c));
  const auto found = static_cast<double>(value.get(0));
  report.check(Instruction::name,
               expected == found || std::abs(expected - found) <= 1e-3 * std::abs(expected),
               "the chain's value is not that of the CPU");
  return took(2) - took(0);
}

template <class Instruction>
void measure_latency(Report& report) {
  using C = Chain<Instruction>;
  const double links = C::kLong - C::kShort;
  report.add(std::string("latency.") + Instruction::name,
             cycles_of_links<Instruction, 1>(report, 32) / links / Instruction::per_link, "cycles");
}

template <class Instruction>
void measure_throughput(Report& report) {
  using C = Chain<Instruction>;
  constexpr int kChains = 8, kThreads = 1024;
  const double results = double(C::kLong - C::kShort) * kChains * kThreads * Instruction::per_link;
  report.add(std::string("throughput.") + Instruction::name,
             results / cycles_of_links<Instruction, kChains>(report, kThreads), "results/cycle/SM");
}

template <class... Instructions>
struct InstructionList {
  static void latencies(Report& report) { (measure_latency<Instructions>(report), ...); }
  static void throughputs(Report& report) { (measure_throughput<Instructions>(report), ...); }
};

using AllInstructions = InstructionList<
    instruction::int_add, instruction::int_logic, instruction::int_shift, instruction::int_min,
    instruction::int_mad, instruction::int_mul_hi, instruction::int_div, instruction::bit_field,
    instruction::popc, instruction::clz, instruction::shuffle, instruction::fp32_add,
    instruction::fp32_fma, instruction::fp32_div, instruction::fp32_rcp, instruction::fp32_sqrt,
    instruction::rsqrt, instruction::sin, instruction::fp64_fma, instruction::fp64_div,
    instruction::convert, instruction::convert_wide>;

}  // namespace raddle::workloads::micro
