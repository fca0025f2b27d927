// Floating-point formats narrower than single precision: f16, bf16, e4m3, e5m2 (PTX ISA 5.2.2,
// 5.2.3). Double precision represents all their values exactly, so arithmetic uses doubles, and
// narrow() rounds once. Inlined by force: lane loops vectorize only without calls.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "isa/form.h"

namespace raddle::isa {

struct F16 {
  std::uint16_t bits;
  static constexpr int kMantissa = 10, kBias = 15;
  static constexpr std::uint32_t kNan = 0x7fff, kInfinity = 0x7c00, kMaximum = 0x7bff;
  static constexpr std::uint32_t kSign = 0x8000;
  static constexpr bool kHasInfinity = true;
};

struct BF16 {
  std::uint16_t bits;
  static constexpr int kMantissa = 7, kBias = 127;
  static constexpr std::uint32_t kNan = 0x7fff, kInfinity = 0x7f80, kMaximum = 0x7f7f;
  static constexpr std::uint32_t kSign = 0x8000;
  static constexpr bool kHasInfinity = true;
};

/// Has no infinity: 0x7f is NaN, all lower values are finite.
struct E4M3 {
  std::uint8_t bits;
  static constexpr int kMantissa = 3, kBias = 7;
  static constexpr std::uint32_t kNan = 0x7f, kInfinity = 0x7f, kMaximum = 0x7e;
  static constexpr std::uint32_t kSign = 0x80;
  static constexpr bool kHasInfinity = false;
};

struct E5M2 {
  std::uint8_t bits;
  static constexpr int kMantissa = 2, kBias = 15;
  static constexpr std::uint32_t kNan = 0x7f, kInfinity = 0x7c, kMaximum = 0x7b;
  static constexpr std::uint32_t kSign = 0x80;
  static constexpr bool kHasInfinity = true;
};

/// The exact value.
template <class Format>
[[gnu::always_inline]] inline double widen(Format value) {
  const std::uint64_t magnitude = value.bits & ~Format::kSign;
  const std::uint64_t sign = std::uint64_t{(value.bits & Format::kSign) != 0} << 63;
  // Exponent and mantissa move to their places in a double. The multiplication corrects the bias
  // and normalizes subnormals.
  const double shifted = std::bit_cast<double>(magnitude << (52 - Format::kMantissa));
  const double scale = std::bit_cast<double>(std::uint64_t{1023 + 1023 - Format::kBias} << 52);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(shifted * scale);
  const bool special =
      Format::kHasInfinity ? magnitude >= Format::kInfinity : magnitude == Format::kNan;
  const bool nan = magnitude > Format::kInfinity || (!Format::kHasInfinity && special);
  bits = special ? (nan ? 0x7fff'ffff'e000'0000u : 0x7ff0'0000'0000'0000u) : bits;
  return std::bit_cast<double>(nan ? bits : bits | sign);
}

/// `value` rounded to a multiple of `quantum`, a power of two of at least 2^-52 |value|.
template <Rounding rounding>
[[gnu::always_inline]] inline double round_to_quantum(double value, double quantum) {
  const double magic = quantum * 0x1.8p52;
  const double nearest = (value + magic) - magic;
  if constexpr (rounding == Rounding::rn) return nearest;
  const double below = nearest > value ? nearest - quantum : nearest;
  const double above = nearest < value ? nearest + quantum : nearest;
  if constexpr (rounding == Rounding::rm) return below;
  if constexpr (rounding == Rounding::rp) return above;
  if constexpr (rounding == Rounding::rz) return value < 0 ? above : below;
  // rna: to nearest, ties away from zero.
  const double towards = value < 0 ? above : below;
  const double away = value < 0 ? below : above;
  return std::fabs(value - towards) < std::fabs(away - value) ? towards : away;
}

/// Rounds a double to a narrower format, once and exactly; NaN becomes canonical. `finite`: values
/// that are too large become the largest finite value (.satfinite).
template <class Format, Rounding rounding = Rounding::rn, bool finite = false>
[[gnu::always_inline]] inline Format narrow(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = (bits >> 63) != 0 ? Format::kSign : 0;
  // The quantum is 2^(exponent - mantissa bits); for a subnormal, that of the least normal number.
  const std::int64_t least = 1023 + 1 - Format::kBias;
  std::int64_t exponent = static_cast<std::int64_t>((bits >> 52) & 0x7ff);
  const std::int64_t largest = 1023 + (Format::kHasInfinity ? Format::kBias : Format::kBias + 1);
  exponent = exponent < least ? least : exponent;
  exponent = exponent > largest ? largest : exponent;
  const double quantum =
      std::bit_cast<double>(static_cast<std::uint64_t>(exponent - Format::kMantissa) << 52);
  const double huge = std::bit_cast<double>(static_cast<std::uint64_t>(largest + 1) << 52);
  const double clamped = value > huge ? huge : (value > -huge ? value : -huge);  // NaN: -huge
  const double rounded = std::fabs(round_to_quantum<rounding>(clamped, quantum));
  // Exponent and mantissa as a count of quanta: subnormals and normals form one sequence.
  const double per_quantum = std::bit_cast<double>(
      static_cast<std::uint64_t>(2 * 1023 - (exponent - Format::kMantissa)) << 52);
  const auto steps = static_cast<std::int32_t>(rounded * per_quantum);
  const auto base = static_cast<std::int32_t>(exponent - least) << Format::kMantissa;
  std::uint32_t magnitude = static_cast<std::uint32_t>(base + steps);
  // Beyond the largest number: infinity, or the largest number when rounding towards zero.
  constexpr bool to_largest = rounding == Rounding::rz;
  const bool inward = to_largest || (rounding == Rounding::rm && sign == 0) ||
                      (rounding == Rounding::rp && sign != 0);
  const bool infinite = std::fabs(value) > 0x1.fffffffffffffp1023;
  const std::uint32_t overflow =
      finite || (inward && !infinite) ? Format::kMaximum : Format::kInfinity;
  magnitude = magnitude > Format::kMaximum || infinite ? overflow : magnitude;
  magnitude = value != value ? Format::kNan : magnitude | sign;
  return {static_cast<decltype(Format::bits)>(magnitude)};
}

/// a + b rounded to odd: exact, or the neighbour of the exact sum with its last bit set. Rounding
/// the result again, to a format with at least two bits fewer, gives the rounding of the exact sum
/// (Boldo and Melquiond, "When double rounding is odd", 2005).
[[gnu::always_inline]] inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  const bool inexact = error != 0 && error == error;
  // The error points away from zero when it has the sum's sign.
  const bool outward = (error > 0) == (sum > 0);
  const std::uint64_t odd = outward ? bits | 1 : (bits - 1) | 1;
  const std::uint64_t chosen = (bits & 1) != 0 ? bits : odd;
  return std::bit_cast<double>(inexact ? chosen : bits);
}

/// a * b + c, rounded to odd, where a * b is exact in double precision.
[[gnu::always_inline]] inline double fma_to_odd(double a, double b, double c) {
  return add_to_odd(a * b, c);
}

}  // namespace raddle::isa
