// Exact binary floating-point formats. A value is a __float128 that was rounded to odd, so that a
// second rounding, to any narrower format and in any direction, is correct. Made for tests,
// independent of the simulator's arithmetic.
#pragma once

#include <cstdint>
#include <string_view>

namespace raddle::tests {

__extension__ using Quad = __float128;

struct FloatFormat {
  unsigned exponent_bits = 8, mantissa_bits = 23;
  unsigned low_zeros = 0;    // bits below the mantissa: tf32
  bool has_infinity = true;  // e4m3 has none; e2m3, e3m2, e2m1 have neither it nor NaN
  bool has_nan = true;
  unsigned bits() const { return 1 + exponent_bits + mantissa_bits + low_zeros; }
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

/// f16 bf16 f32 f64 tf32 e4m3 e5m2 e2m3 e3m2 e2m1; throws for other names. The x2 and x4 of packed
/// types are not part of the name.
const FloatFormat& float_format(std::string_view name);

Quad decode(const FloatFormat& format, std::uint64_t bits);
bool is_nan(const FloatFormat& format, std::uint64_t bits);
bool is_subnormal(const FloatFormat& format, std::uint64_t bits);
/// Zero of its sign for a subnormal number.
std::uint64_t flush(const FloatFormat& format, std::uint64_t bits);
std::uint64_t canonical_nan(const FloatFormat& format);

/// `rounding`: rn rz rm rp rna. `saturate`: beyond the largest number comes the largest number, and
/// NaN is canonical.
std::uint64_t encode(const FloatFormat& format, Quad value, std::string_view rounding,
                     bool saturate = false);

/// Rounded to odd in 113 bits.
Quad add_exactly(Quad a, Quad b);
Quad multiply_exactly(Quad a, Quad b);  // operands of at most 56 bits each
/// To an integer: rni rzi rmi rpi.
Quad round_to_integer(Quad value, std::string_view rounding);
bool is_nan(Quad value);
bool is_negative(Quad value);  // also -0

}  // namespace raddle::tests
