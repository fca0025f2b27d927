#include "exact_float.h"

#include <cstring>
#include <stdexcept>
#include <string>

namespace raddle::tests {
namespace {

__extension__ using Bits128 = unsigned __int128;
constexpr int kQuadBias = 16383, kQuadMantissa = 112;
constexpr Bits128 kOne = 1;

Bits128 bits_of(Quad value) {
  Bits128 bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
Quad quad_of(Bits128 bits) {
  Quad value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
Quad power_of_two(int exponent) {
  return quad_of(static_cast<Bits128>(exponent + kQuadBias) << kQuadMantissa);
}
Quad infinity(bool negative) {
  return quad_of((static_cast<Bits128>(0x7fff) << kQuadMantissa) | (Bits128{negative} << 127));
}
bool is_infinite(Quad value) {
  return (bits_of(value) << 1) == (static_cast<Bits128>(0xfffe) << 112);
}

/// `sum` with its last bit set where `error` was lost from it.
Quad round_to_odd(Quad sum, Quad error) {
  if (error == 0) return sum;
  Bits128 bits = bits_of(sum);
  if ((bits & 1) != 0) return sum;
  // Towards the error: one place up or down, both of which are odd.
  const bool away = (error < 0) == (sum < 0);
  return quad_of(away ? bits + 1 : bits - 1);
}

/// Whether a magnitude with `rest` (0: exact, 1: below half, 2: half, 3: above) goes up.
bool goes_up(std::string_view rounding, bool negative, bool odd, unsigned rest) {
  if (rest == 0 || rounding == "rz") return false;
  if (rounding == "rm") return negative;
  if (rounding == "rp") return !negative;
  if (rounding == "rna") return rest >= 2;
  return rest == 3 || (rest == 2 && odd);
}

}  // namespace

const FloatFormat& float_format(std::string_view name) {
  static const FloatFormat f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52}, tf32{8, 10, 13},
      e4m3{4, 3, 0, false, true}, e5m2{5, 2}, e2m3{2, 3, 0, false, false},
      e3m2{3, 2, 0, false, false}, e2m1{2, 1, 0, false, false};
  if (name == "f16") return f16;
  if (name == "bf16") return bf16;
  if (name == "f32") return f32;
  if (name == "f64") return f64;
  if (name == "tf32") return tf32;
  if (name == "e4m3") return e4m3;
  if (name == "e5m2") return e5m2;
  if (name == "e2m3") return e2m3;
  if (name == "e3m2") return e3m2;
  if (name == "e2m1") return e2m1;
  throw std::runtime_error("no float format: " + std::string(name));
}

bool is_nan(Quad value) { return value != value; }
bool is_negative(Quad value) { return (bits_of(value) >> 127) != 0; }

std::uint64_t canonical_nan(const FloatFormat& f) {
  return ((std::uint64_t{1} << (f.bits() - 1)) - 1) & ~((std::uint64_t{1} << f.low_zeros) - 1);
}

namespace {
std::uint64_t exponent_of(const FloatFormat& f, std::uint64_t bits) {
  return bits >> (f.mantissa_bits + f.low_zeros) & ((std::uint64_t{1} << f.exponent_bits) - 1);
}
std::uint64_t mantissa_of(const FloatFormat& f, std::uint64_t bits) {
  return bits >> f.low_zeros & ((std::uint64_t{1} << f.mantissa_bits) - 1);
}
std::uint64_t top_exponent(const FloatFormat& f) {
  return (std::uint64_t{1} << f.exponent_bits) - 1;
}
}  // namespace

bool is_nan(const FloatFormat& f, std::uint64_t bits) {
  if (!f.has_nan || exponent_of(f, bits) != top_exponent(f)) return false;
  const std::uint64_t mantissa = mantissa_of(f, bits);
  return f.has_infinity ? mantissa != 0 : mantissa == (std::uint64_t{1} << f.mantissa_bits) - 1;
}

bool is_subnormal(const FloatFormat& f, std::uint64_t bits) {
  return exponent_of(f, bits) == 0 && mantissa_of(f, bits) != 0;
}

std::uint64_t flush(const FloatFormat& f, std::uint64_t bits) {
  return is_subnormal(f, bits) ? bits & (std::uint64_t{1} << (f.bits() - 1)) : bits;
}

Quad decode(const FloatFormat& f, std::uint64_t bits) {
  const bool negative = (bits >> (f.bits() - 1) & 1) != 0;
  const std::uint64_t exponent = exponent_of(f, bits), mantissa = mantissa_of(f, bits);
  Quad value;
  if (is_nan(f, bits)) {
    value = infinity(false) - infinity(false);
  } else if (f.has_infinity && exponent == top_exponent(f)) {
    value = infinity(false);
  } else {
    const std::uint64_t hidden = exponent != 0 ? std::uint64_t{1} << f.mantissa_bits : 0;
    const int scale = static_cast<int>(exponent != 0 ? exponent : 1) - f.bias() -
                      static_cast<int>(f.mantissa_bits);
    value = static_cast<Quad>(hidden | mantissa) * power_of_two(scale);
  }
  return quad_of((bits_of(value) & ~(kOne << 127)) | (Bits128{negative} << 127));
}

std::uint64_t encode(const FloatFormat& f, Quad value, std::string_view rounding, bool saturate) {
  const std::uint64_t sign =
      is_negative(value) ? std::uint64_t{1} << (f.bits() - 1) : std::uint64_t{0};
  const std::uint64_t top = top_exponent(f);
  // The largest number, without the places below the mantissa.
  std::uint64_t largest = f.has_infinity ? (top << f.mantissa_bits) - 1
                                         : ((top + 1) << f.mantissa_bits) - (f.has_nan ? 2 : 1);
  if (is_nan(value)) return f.has_nan ? canonical_nan(f) : largest;
  std::uint64_t magnitude = 0;
  bool overflow = is_infinite(value);
  if (value != 0 && !overflow) {
    const Bits128 bits = bits_of(value);
    const int exponent = static_cast<int>((bits >> kQuadMantissa) & 0x7fff) - kQuadBias;
    const Bits128 significand = (bits & ((kOne << kQuadMantissa) - 1)) | (kOne << kQuadMantissa);
    const int lowest = 1 - f.bias();  // exponent of the smallest normal number
    const int below = exponent < lowest ? lowest - exponent : 0;
    const int drop = kQuadMantissa - static_cast<int>(f.mantissa_bits) + below;
    Bits128 kept = 0;
    unsigned rest = 1;
    if (drop <= kQuadMantissa + 1) {
      kept = drop > 127 ? 0 : significand >> drop;
      const Bits128 lost = significand & ((kOne << drop) - 1), half = kOne << (drop - 1);
      rest = lost == 0 ? 0 : lost < half ? 1 : lost == half ? 2 : 3;
    }
    if (goes_up(rounding, sign != 0, (kept & 1) != 0, rest)) ++kept;
    // A carry into the next power of two, or out of the subnormal numbers, lands where it should.
    const std::uint64_t biased = below != 0 ? 0 : static_cast<std::uint64_t>(exponent - lowest);
    magnitude = (biased << f.mantissa_bits) + static_cast<std::uint64_t>(kept);
    overflow = magnitude > largest;
  }
  if (overflow) {
    const bool stays =
        rounding == "rz" || (rounding == "rm" && sign == 0) || (rounding == "rp" && sign != 0);
    const bool was_infinite = is_infinite(value);
    if (saturate || (stays && !was_infinite)) {
      magnitude = largest;
    } else {
      magnitude = f.has_infinity ? top << f.mantissa_bits : canonical_nan(f) >> f.low_zeros;
    }
  }
  return sign | magnitude << f.low_zeros;
}

Quad add_exactly(Quad a, Quad b) {
  const Quad sum = a + b;
  if (is_nan(sum) || is_infinite(sum)) return sum;
  // Knuth's two-sum: the error is exact.
  const Quad part = sum - a;
  return round_to_odd(sum, (a - (sum - part)) + (b - part));
}

Quad multiply_exactly(Quad a, Quad b) { return a * b; }

Quad round_to_integer(Quad value, std::string_view rounding) {
  if (is_nan(value) || is_infinite(value)) return value;
  const Bits128 bits = bits_of(value);
  const int exponent = static_cast<int>((bits >> kQuadMantissa) & 0x7fff) - kQuadBias;
  if (exponent >= kQuadMantissa) return value;
  const bool negative = is_negative(value);
  Bits128 whole = 0;
  unsigned rest = value == 0 ? 0 : 1;
  if (exponent >= -1) {
    const Bits128 significand = (bits & ((kOne << kQuadMantissa) - 1)) | (kOne << kQuadMantissa);
    const int drop = kQuadMantissa - exponent;
    whole = significand >> drop;
    const Bits128 lost = significand & ((kOne << drop) - 1), half = kOne << (drop - 1);
    rest = lost == 0 ? 0 : lost < half ? 1 : lost == half ? 2 : 3;
  }
  if (goes_up(rounding.substr(0, 2), negative, (whole & 1) != 0, rest)) ++whole;
  const Quad magnitude = static_cast<Quad>(whole);
  return quad_of(bits_of(magnitude) | (Bits128{negative} << 127));
}

}  // namespace raddle::tests
