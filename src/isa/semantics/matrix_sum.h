// The fused sums of tensor cores: semantics/matrix.h describes the computation and its sources.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "isa/semantics/small_float.h"

namespace raddle::isa {

/// Below every exponent, so that zeros do not count for the largest.
inline constexpr std::int32_t kZeroExponent = -4096;

/// The exponent of elements that a sparse matrix does not store: they never count, whatever their
/// factor.
inline constexpr std::int32_t kAbsent = 2 * kZeroExponent;

/// The exponent of a value in a format with the least normal exponent `least`, which subnormals
/// have as well.
[[gnu::always_inline]] inline std::int32_t exponent_of(double value, std::int32_t least) {
  const auto field = static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
  const std::int32_t exponent = std::max(field - 1023, least);
  return value == 0 ? kZeroExponent : exponent;
}

/// 2^exponent, a normal number.
[[gnu::always_inline]] inline double power_of_two(std::int32_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// Truncates to single precision; values that are too large become infinite.
inline double truncate_to_single(double value) {
  if (std::fabs(value) < 0x1p-126) return std::trunc(value * 0x1p149) * 0x1p-149;
  const auto bits = std::bit_cast<std::uint64_t>(value) & ~((std::uint64_t{1} << 29) - 1);
  const double truncated = std::bit_cast<double>(bits);
  return std::fabs(truncated) < 0x1p128 ? truncated : std::copysign(INFINITY, value);
}

/// The rounding of accumulators after each sum.
struct SingleResult {
  static constexpr std::int32_t kLeastExponent = -126;
  static double round(double value) { return truncate_to_single(value); }
  static double nearest(double value) { return static_cast<float>(value); }
};
struct HalfResult {
  static constexpr std::int32_t kLeastExponent = -14;
  static double round(double value) { return widen(narrow<F16>(value)); }
  static double nearest(double value) { return round(value); }
};

inline constexpr unsigned kMostTerms = 64;  // columns of A: m16n8k64 of e4m3, sparse

/// A part of a row of A, and the same rows of `columns` columns of B, `kStride` apart.
template <unsigned kStride>
struct SumTerms {
  const double *a, *b;
  const std::int32_t *a_exponent, *b_exponent;
  unsigned count;
};

/// sums[n] = round(sums[n] + a . b[n]), all values finite, for `columns` columns.
template <class Result, unsigned columns, unsigned kStride>
void fused_sum(const SumTerms<kStride>& terms, std::int32_t fraction_bits, double* sums) {
  std::int32_t top[columns];
  double scale[columns], total[columns];
  for (unsigned n = 0; n < columns; ++n) {
    // A zero accumulator counts as the least normal number of single precision.
    top[n] = std::max(exponent_of(sums[n], Result::kLeastExponent), -126);
  }
  for (unsigned k = 0; k < terms.count; ++k) {
    for (unsigned n = 0; n < columns; ++n) {
      top[n] = std::max(top[n], terms.a_exponent[k] + terms.b_exponent[k * kStride + n]);
    }
  }
  for (unsigned n = 0; n < columns; ++n) {
    scale[n] = power_of_two(fraction_bits - top[n]);
    total[n] = static_cast<std::int32_t>(sums[n] * scale[n]);
  }
  for (unsigned k = 0; k < terms.count; ++k) {
    for (unsigned n = 0; n < columns; ++n) {
      total[n] += static_cast<std::int32_t>(terms.a[k] * terms.b[k * kStride + n] * scale[n]);
    }
  }
  for (unsigned n = 0; n < columns; ++n) {
    sums[n] = Result::round(total[n] * power_of_two(top[n] - fraction_bits));
  }
}

/// As fused_sum(), for one column with values that may be infinite or NaN.
template <class Result, unsigned kStride>
void fused_sum_of_any(const SumTerms<kStride>& terms, std::int32_t fraction_bits, double* sum) {
  double plain = *sum, a[kMostTerms], b[kMostTerms];
  std::int32_t a_exponent[kMostTerms], b_exponent[kMostTerms];
  unsigned count = 0;
  for (unsigned k = 0; k < terms.count; ++k) {
    if (terms.a_exponent[k] == kAbsent) continue;
    a[count] = terms.a[k];
    b[count] = terms.b[k * kStride];
    a_exponent[count] = terms.a_exponent[k];
    b_exponent[count] = terms.b_exponent[k * kStride];
    plain += a[count] * b[count];
    ++count;
  }
  if (!std::isfinite(plain)) {
    *sum = plain;
    return;
  }
  fused_sum<Result, 1>(SumTerms<1>{a, b, a_exponent, b_exponent, count}, fraction_bits, sum);
}

}  // namespace raddle::isa
