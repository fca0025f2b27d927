// The approximations of NVIDIA's multifunction unit (MUFU), bit for bit: a quadratic polynomial
// from a table for each part of the range, in integers that are truncated in places (Oberman and
// Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH-17, 2005). Measured on
// an H200 (tests/golden: --binades), and equal to it for each number of single precision. The
// squares and tables are the same that the project envytools read out of the first such unit, of
// G80, in 2015 (its nvhw/sfu.c), except for sqrt and tanh, which G80 did not have. NVIDIA states
// the same largest errors for all GPUs since (CUDA C++ Programming Guide, intrinsic functions). So
// all GPUs compute the same.
//
// Operands and results are bits: of single precision, or the upper halves of double precision.
// Subnormal operands and results are zero. The code has no branches, for the vectorizer.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "isa/semantics/approximation_tables.h"

namespace raddle::isa {

inline constexpr std::uint32_t kSignBit = 0x8000'0000u, kCanonicalNan = 0x7fff'ffffu;

/// The layout of numbers in 32 bits, by their number of fraction bits.
template <unsigned fraction_bits>
struct Layout {
  static constexpr std::uint32_t kUnit = 1u << fraction_bits;  // adds one to the exponent
  static constexpr std::uint32_t kFraction = kUnit - 1, kInfinity = kSignBit - kUnit;
  static constexpr std::uint32_t kBias = (kSignBit >> (fraction_bits + 1)) - 1;
  static constexpr std::uint32_t kOne = kBias << fraction_bits;
  static constexpr unsigned kMissing = 23 - fraction_bits;  // lower bits that the tables count more
};
using Single = Layout<23>;
using UpperDouble = Layout<20>;

/// Half the sum of the partial products of x * x, 17 bits each, without their columns below 2^18.
/// It is computed from the upper 8 bits of x: first their products with each other, then with the
/// lower bits. All values fit 16 bits, so that vectors hold more of them.
inline std::uint32_t truncated_square(std::uint32_t x) {
  using Short = std::uint16_t;
  const auto high = static_cast<Short>(x >> 9), low = static_cast<Short>(x & 511);
  const auto part = [=](unsigned bit) __attribute__((always_inline)) {
    return static_cast<Short>(low >> (9 - bit)) & static_cast<Short>(-(high >> bit & 1));
  };
  // Written out, because a loop here would keep the loop over lanes from being vectorized.
  const int lower = part(1) + part(2) + part(3) + part(4) + part(5) + part(6) + part(7);
  return static_cast<Short>(static_cast<Short>(static_cast<Short>(high * high) >> 1) + lower);
}

/// The terms that a function adds up, each with its own sign and place.
struct Terms {
  std::uint64_t constant, linear, quadratic;
};
template <unsigned size>
inline Terms interpolate(const Interpolation<size>& table, std::uint32_t index, std::uint32_t x,
                         std::uint32_t square) {
  const std::uint32_t slopes = table.slopes[index];
  return {table.constants[index], std::uint64_t{slopes >> kSquareBits} * x,
          std::uint64_t{slopes & ((1u << kSquareBits) - 1)} * square};
}
template <unsigned size>
inline Terms interpolate(const Interpolation<size>& table, std::uint32_t fraction) {
  const std::uint32_t x = fraction & 0x1ffff;
  return interpolate(table, fraction >> 17, x, truncated_square(x));
}

/// `value` * 2^-places, truncated instead of rounded; value is below 2^52.
inline std::uint32_t to_single(std::uint64_t value, std::uint32_t places) {
  const double exact = std::bit_cast<double>(value | 0x4330'0000'0000'0000u) - 0x1p52;
  const auto upper = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(exact) >> 29);
  return value == 0 ? 0 : upper - ((1023 - 127 + places) << 23);
}

template <class L>
inline std::uint32_t approximate_rcp(std::uint32_t a) {
  const std::uint32_t magnitude = a & ~kSignBit;
  const std::uint32_t fraction = (magnitude & L::kFraction) << L::kMissing;
  const std::uint32_t x = fraction & 0xffff;
  const Terms t = interpolate(kRcpTable, fraction >> 16, x, truncated_square(x << 1));
  const std::uint64_t sum = (t.constant << 13) - t.linear + t.quadratic + 0x47e7;
  const auto mantissa = static_cast<std::int32_t>(sum >> (15 + L::kMissing));
  const auto exponent = static_cast<std::int32_t>(2 * L::kBias - 2 - magnitude / L::kUnit);
  const std::int32_t ordinary = exponent * static_cast<std::int32_t>(L::kUnit) + mantissa;
  const bool small = ordinary < static_cast<std::int32_t>(L::kUnit);
  std::uint32_t r = small ? 0 : static_cast<std::uint32_t>(ordinary);
  r = magnitude < L::kUnit ? L::kInfinity : r;
  r = magnitude == L::kInfinity ? 0 : r;
  return magnitude > L::kInfinity ? kCanonicalNan : r | (a & kSignBit);
}

/// For a root: the operand's fraction, with the lowest bit of its exponent above it.
template <class L>
inline std::uint32_t radicand(std::uint32_t a) {
  return ((a & L::kFraction) | (~a & L::kUnit)) << L::kMissing;
}
/// NaN for NaN and numbers below zero; else `ordinary`, except for zeros and infinity.
template <class L>
inline std::uint32_t root(std::uint32_t a, std::uint32_t ordinary, std::uint32_t of_zero,
                          std::uint32_t of_infinity) {
  const std::uint32_t magnitude = a & ~kSignBit;
  const bool zero = magnitude < L::kUnit;
  const std::uint32_t r = a == L::kInfinity ? of_infinity : ordinary;
  const bool nan = magnitude > L::kInfinity || a > kSignBit;
  return zero ? (a & kSignBit) | of_zero : nan ? kCanonicalNan : r;
}

template <class L>
inline std::uint32_t approximate_rsqrt(std::uint32_t a) {
  const std::uint32_t fraction = radicand<L>(a);
  const Terms t = interpolate(kRsqrtTable, fraction);
  const std::uint64_t sum = (t.constant << 14) - t.linear + (t.quadratic << 2) + 0x7fff;
  const auto sloped = static_cast<std::uint32_t>(sum >> (16 + L::kMissing));
  const std::uint32_t mantissa = fraction == 0 ? 2 * L::kUnit : sloped;  // powers of 4 are exact
  const std::uint32_t half = ((a & ~kSignBit) + L::kUnit) / (2 * L::kUnit);
  const std::uint32_t ordinary = ((3 * L::kBias - 3) / 2 - half) * L::kUnit + mantissa;
  return root<L>(a, ordinary, L::kInfinity, 0);
}

inline std::uint32_t approximate_sqrt(std::uint32_t a) {
  using L = Single;
  const Terms t = interpolate(kSqrtTable, radicand<L>(a));
  const std::uint64_t sum = (t.constant << 15) + t.linear - (t.quadratic << 1) + 0x7fff;
  const std::uint32_t half = ((a & ~kSignBit) + L::kUnit) / (2 * L::kUnit);
  const std::uint32_t ordinary = (62 + half) * L::kUnit + static_cast<std::uint32_t>(sum >> 17);
  return root<L>(a, ordinary, 0, L::kInfinity);
}

/// lg2 of 1/2 is above -1: the table is not exact at 1, and only the operand 1 itself gets the
/// exact result.
inline std::uint32_t approximate_lg2(std::uint32_t a) {
  using L = Single;
  const std::uint32_t magnitude = a & ~kSignBit;
  const Terms t = interpolate(kLg2Table, magnitude & L::kFraction);
  const std::uint64_t sum = (t.constant << 12) + t.linear - (t.quadratic << 1) + 0x3345;
  const auto fraction = static_cast<std::int64_t>(magnitude == L::kOne ? 0 : sum >> 2);
  const std::int64_t whole = static_cast<std::int64_t>(magnitude >> 23) - L::kBias;
  const std::int64_t value = whole * (std::int64_t{1} << 36) + fraction;
  // For a negative value, the magnitude is the complement.
  const std::uint64_t complement = value < 0 ? ~std::uint64_t{0} : 0;
  const std::uint32_t r = to_single(static_cast<std::uint64_t>(value) ^ complement, 36);
  const std::uint32_t sign = static_cast<std::uint32_t>(complement) & kSignBit;
  return root<L>(a, r | sign, kSignBit | L::kInfinity, L::kInfinity);
}

inline std::uint32_t approximate_ex2(std::uint32_t a) {
  using L = Single;
  const std::uint32_t magnitude = a & ~kSignBit;
  const bool huge = magnitude >= 0x4300'0000u;  // 128
  // A mask, not a condition: with a constant index for some lanes, the table access would not
  // become a gather.
  const float operand = std::bit_cast<float>(magnitude & (huge - 1u));
  const auto fixed = static_cast<std::int32_t>(operand * 0x1p23f);
  const std::int32_t minus = static_cast<std::int32_t>(a) >> 31;
  const std::int32_t whole = ((fixed ^ minus) - minus) >> 23;
  // For a negative operand, the complement, except of zero.
  const std::int32_t flipped = minus & -static_cast<std::int32_t>((fixed & L::kFraction) != 0);
  const Terms t = interpolate(kEx2Table, (fixed ^ flipped) & L::kFraction);
  const std::uint64_t sum = (t.constant << 13) + t.linear + t.quadratic + 0x77e2;
  const std::int32_t exponent = whole + 126;
  const std::uint32_t ordinary =
      (static_cast<std::uint32_t>(exponent) << 23) + static_cast<std::uint32_t>(sum >> 15);
  const std::uint32_t r = exponent < 0 ? 0 : ordinary;
  const std::uint32_t s = huge ? L::kInfinity & ~static_cast<std::uint32_t>(minus) : r;
  return magnitude > L::kInfinity ? kCanonicalNan : s;
}

/// sin and cos first convert the operand to turns, by a multiplication that rounds towards zero.
inline float to_turns(float magnitude) {
  constexpr float kTurns = 0.15915494f;  // 1 / (2 pi)
  const float nearest = magnitude * kTurns;
  const bool above = std::fma(magnitude, kTurns, -nearest) < 0;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - (above ? 1u : 0u));
}
/// sin a, or sin of a plus a quarter turn. Bits below the fixed point are lost. For large operands
/// these are all bits, and the operands count as zero.
template <unsigned quarter_turns>
inline std::uint32_t approximate_sine(std::uint32_t a) {
  const std::uint32_t magnitude = a & ~kSignBit;
  const bool finite = magnitude < Single::kInfinity;
  const float turns = to_turns(std::bit_cast<float>(finite ? magnitude : 0));
  const float part = turns - std::trunc(turns);
  const auto fixed = static_cast<std::int32_t>(part * 0x1p25f);
  const std::uint32_t quadrant = (static_cast<std::uint32_t>(fixed) >> 23) + quarter_turns;
  const Terms t = interpolate(kSinTable, (fixed ^ -(quadrant & 1)) & Single::kFraction);
  const std::uint32_t r = to_single((t.constant << 11) + t.linear - t.quadratic, 37);
  const std::uint32_t odd = quarter_turns == 0 ? a : 0;
  const std::uint32_t sign = (quadrant << 30 ^ odd) & kSignBit;
  return finite ? r | sign : kCanonicalNan;
}

/// Below 2^-8 the result is the operand itself, from 8 on it is one. Parts of the range are larger
/// where the function bends less.
inline std::uint32_t approximate_tanh(std::uint32_t a) {
  using L = Single;
  constexpr std::uint32_t kFirst = 0x3b80'0000u, kEnd = 0x4100'0000u;
  const std::uint32_t magnitude = a & ~kSignBit;
  const bool inside = magnitude >= kFirst && magnitude < kEnd;
  const std::uint32_t binade = kTanhBinades[(magnitude - kFirst) >> 23 & 15];
  const std::uint32_t word = (magnitude & L::kFraction) >> (binade & 255);
  const std::uint32_t index = (binade >> 8 & 255) + (word >> 17), x = word & 0x1ffff;
  const Terms t = interpolate(kTanhTable, index, x, truncated_square(x));
  const std::uint64_t sum = (t.constant << 15) + t.linear - t.quadratic;
  const std::uint32_t between = to_single(sum, binade >> 16);
  const std::uint32_t outside = magnitude < kFirst ? magnitude : L::kOne;
  const std::uint32_t r = inside ? between : outside;
  return magnitude > L::kInfinity ? kCanonicalNan : r | (a & kSignBit);
}

}  // namespace raddle::isa
