// The instructions whose latency and throughput are measured.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace raddle::workloads::micro {

/// An instruction. `link` makes a new `a` (%0) from the old `a` (%1), `b` (%2) and `c` (%3). `b` is
/// the latest value of a chain, so that links wait for each other. `reference` does the same on the
/// CPU. A link is `per_link` instructions, or `joined` on GPUs that add or combine three values at
/// once. A, B and C are the initial values of chains. `SEQUENCE`: it is many machine instructions.
///
/// The assembler optimises PTX, "volatile" or not. It cannot fold two links into one if no single
/// instruction has their effect. Hence links add or combine three values, with two values for c in
/// turn, and dividends are unknown at compile time.
#define MICRO_INSTRUCTION(NAME, VALUE, CONSTRAINT, PTX, PER_LINK, JOINED, SEQUENCE, A, B, C,  \
                          REFERENCE)                                                          \
  struct NAME {                                                                               \
    using Value = VALUE;                                                                      \
    static constexpr const char* name = #NAME;                                                \
    static constexpr int per_link = PER_LINK, joined = JOINED;                                \
    static constexpr bool sequence = SEQUENCE;                                                \
    static constexpr Value start_a = static_cast<Value>(A), start_b = static_cast<Value>(B),  \
                           start_c = static_cast<Value>(C);                                   \
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
#define MICRO_INTEGER(NAME, PTX, A, B, C, REFERENCE) \
  MICRO_INSTRUCTION(NAME, std::uint32_t, "r", PTX, 1, 1, false, A, B, C, REFERENCE)
#define MICRO_FLOAT(NAME, PTX, C, REFERENCE) \
  MICRO_INSTRUCTION(NAME, float, "f", PTX, 1, 1, false, 3, 5, C, REFERENCE)
#define MICRO_FLOATS(NAME, PTX, REFERENCE) \
  MICRO_INSTRUCTION(NAME, float, "f", PTX, 1, 1, true, 3, 5, 1.25, REFERENCE)

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

inline float value_of_bits(float a) {
  std::int32_t bits = 0;
  std::memcpy(&bits, &a, sizeof bits);
  return static_cast<float>(bits);
}

namespace instruction {
MICRO_INSTRUCTION(int_add, std::uint32_t, "r",
                  "{ .reg .s32 t; add.s32 t, %1, %2; add.s32 %0, t, %3; }", 2, 1, false, 3, 5, 1,
                  a + b + c)
MICRO_INSTRUCTION(int_logic, std::uint32_t, "r",
                  "{ .reg .b32 t; and.b32 t, %2, %3; xor.b32 %0, t, %1; }", 2, 1, false, 0xffff00,
                  0xff0ff0, 0xf0f0f0f0, (b & c) ^ a)
MICRO_INTEGER(int_shift, "shl.b32 %0, %2, %3;", 3, 5, 1, b << c)
MICRO_INTEGER(int_min, "min.s32 %0, %1, %2;", 3, 5, 1, lowest_of(a, b))
MICRO_INTEGER(int_mad, "mad.lo.s32 %0, %2, %3, %1;", 3, 5, 7, b* c + a)
MICRO_INTEGER(int_mul_hi, "mul.hi.s32 %0, %2, %3;", 0x70000000, 0x7fffffff, 0x7fffff00,
              high_product(b, c))
// -1 and 1: each link divides by the previous one, and quotients stay -1 and 1.
MICRO_INSTRUCTION(int_div, std::uint32_t, "r", "div.s32 %0, %1, %2;", 1, 1, true, ~0u, 1, 1,
                  quotient(a, b))
MICRO_INTEGER(bit_field, "bfi.b32 %0, %2, %1, 3, 9;", 3, 5, 1,
              (a & ~(0x1ffu << 3)) | (b & 0x1ffu) << 3)
MICRO_INTEGER(popc, "popc.b32 %0, %2;", 3, 5, 1, std::bitset<32>(b).count())
MICRO_INTEGER(clz, "clz.b32 %0, %2;", 3, 5, 1, leading_zeros(b))
MICRO_INTEGER(shuffle, "shfl.sync.bfly.b32 %0, %2, 1, 31, -1;", 3, 5, 1, b)
MICRO_FLOAT(fp32_add, "add.rn.f32 %0, %2, %3;", 1.25, b + c)
MICRO_FLOAT(fp32_fma, "fma.rn.f32 %0, %2, %3, %3;", 0.25, std::fma(b, c, c))
MICRO_FLOATS(fp32_div, "div.rn.f32 %0, %3, %2;", c / b)
MICRO_FLOATS(fp32_rcp, "rcp.rn.f32 %0, %2;", 1 / b)
MICRO_FLOATS(fp32_sqrt, "sqrt.rn.f32 %0, %2;", std::sqrt(b))
MICRO_FLOAT(rsqrt, "rsqrt.approx.ftz.f32 %0, %2;", 1, 1 / std::sqrt(b))
MICRO_FLOAT(sin, "sin.approx.f32 %0, %2;", 1, std::sin(b))
MICRO_INSTRUCTION(fp64_fma, double, "d", "fma.rn.f64 %0, %2, %3, %3;", 1, 1, false, 3, 5, 0.25,
                  std::fma(b, c, c))
MICRO_INSTRUCTION(fp64_div, double, "d", "div.rn.f64 %0, %3, %2;", 1, 1, true, 3, 5, 1.25, c / b)
MICRO_INSTRUCTION(convert, float, "f",
                  "{ .reg .s32 t; cvt.rzi.s32.f32 t, %2; cvt.rn.f32.s32 %0, t; }", 2, 2, false, 3,
                  5, 1, static_cast<float>(static_cast<std::int32_t>(b)))
// Converts the bits of the previous result. They are a tiny number, or large ones.
MICRO_INTEGER(float_to_int, "{ .reg .f32 f; mov.b32 f, %2; cvt.rzi.s32.f32 %0, f; }", 3, 5, 1, 0)
MICRO_FLOAT(int_to_float, "{ .reg .s32 i; mov.b32 i, %2; cvt.rn.f32.s32 %0, i; }", 1,
            value_of_bits(b))
MICRO_INSTRUCTION(convert_wide, float, "f",
                  "{ .reg .f64 t; cvt.f64.f32 t, %2; cvt.rn.f32.f64 %0, t; }", 2, 2, false, 3, 5, 1,
                  b)
}  // namespace instruction

#undef MICRO_INSTRUCTION
#undef MICRO_INTEGER
#undef MICRO_FLOAT
#undef MICRO_FLOATS

template <class... Instructions>
struct InstructionList {};

using AllInstructions = InstructionList<
    instruction::int_add, instruction::int_logic, instruction::int_shift, instruction::int_min,
    instruction::int_mad, instruction::int_mul_hi, instruction::int_div, instruction::bit_field,
    instruction::popc, instruction::clz, instruction::shuffle, instruction::fp32_add,
    instruction::fp32_fma, instruction::fp32_div, instruction::fp32_rcp, instruction::fp32_sqrt,
    instruction::rsqrt, instruction::sin, instruction::fp64_fma, instruction::fp64_div,
    instruction::convert, instruction::float_to_int, instruction::int_to_float,
    instruction::convert_wide>;

}  // namespace raddle::workloads::micro
