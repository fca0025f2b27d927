// Parts that surround every floating-point operation: rounding, flushing, saturation, canonical NaN
// (PTX ISA 9.7.3, "Floating-Point Instructions").
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "isa/form.h"
#include "isa/semantics/small_float.h"

namespace raddle::isa {

/// Sets the rounding of the host for its lifetime. Code must load the operands of the arithmetic,
/// and store its results, during this lifetime: only then the barriers keep the compiler from
/// moving the arithmetic out.
template <Rounding rounding>
class RoundingScope {
 public:
  RoundingScope() {
    if constexpr (rounding != Rounding::rn) set(mode());
  }
  ~RoundingScope() {
    if constexpr (rounding != Rounding::rn) set(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static constexpr int mode() {
    return rounding == Rounding::rz   ? FE_TOWARDZERO
           : rounding == Rounding::rm ? FE_DOWNWARD
           : rounding == Rounding::rp ? FE_UPWARD
                                      : FE_TONEAREST;
  }
  static void set(int mode) {
    asm volatile("" ::: "memory");
    std::fesetround(mode);
    asm volatile("" ::: "memory");
  }
};

inline constexpr std::uint32_t kNan32 = 0x7fff'ffffu;

/// Subnormal single-precision values become zero of the same sign when `ftz`.
template <bool ftz>
inline float flush(float x) {
  if constexpr (!ftz) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits & 0x7f80'0000u) == 0 ? bits & 0x8000'0000u : bits);
}
template <bool ftz>
inline double flush(double x) {
  return x;
}

/// With .ftz, subnormals of the 16-bit formats become zeros.
template <class Format>
inline Format flush_small(Format x) {
  constexpr std::uint32_t exponent = Format::kInfinity;
  return (x.bits & exponent) == 0 ? Format{static_cast<std::uint16_t>(x.bits & Format::kSign)} : x;
}
/// Makes a NaN of double precision quiet, with its sign and payload; other values stay as they are.
inline double quiet(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(x != x ? bits | 0x0008'0000'0000'0000u : bits);
}
inline float quiet(float x) { return x; }

/// Single-precision results that are NaN have no payload; double-precision ones keep it.
inline float canonical(float x) {
  return std::bit_cast<float>(x != x ? kNan32 : std::bit_cast<std::uint32_t>(x));
}
inline double canonical(double x) { return x; }

/// Clamps to [0, 1]; NaN and -0 become +0.
template <bool sat, class T>
inline T saturate(T x) {
  if constexpr (!sat) return x;
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

template <bool ftz, bool sat, class T>
inline T finish(T x) {
  return saturate<sat>(canonical(flush<ftz>(x)));
}

/// Operands of mixed-precision arithmetic are converted exactly to the type of the result.
template <class T>
inline T operand(T x) {
  return x;
}
inline float operand(F16 x) { return static_cast<float>(widen(x)); }
inline float operand(BF16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

inline bool is_negative(float x) { return std::bit_cast<std::uint32_t>(x) >> 31 != 0; }
inline bool is_negative(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }

}  // namespace raddle::isa
