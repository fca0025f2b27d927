// Conversion between double and the bits of narrow floating-point formats (IEEE 754 rules for any
// number of exponent and fraction bits), for both sides.
#pragma once

#include "host_defines.h"

#include "library_begin.h"

namespace raddle_narrow {

enum class rounding { nearest_even, zero, up, down };

template <class To, class From>
__host__ __device__ inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// 2^exponent for -1022 <= exponent <= 1023.
__host__ __device__ inline double power_of_two(int exponent) {
  return bits_as<double>((unsigned long long)(exponent + 1023) << 52);
}

// Infinity has all exponent bits set and no fraction; a NaN becomes that of all ones, sign cleared.
__host__ __device__ inline unsigned int from_double(double value, int exponent_bits,
                                                    int fraction_bits, rounding mode) {
  const unsigned int sign_bit = 1u << (exponent_bits + fraction_bits);
  const unsigned int infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  const unsigned long long bits = bits_as<unsigned long long>(value);
  const unsigned int sign = bits >> 63 ? sign_bit : 0;
  const double magnitude = bits_as<double>(bits & ~(1ull << 63));
  if (value != value) return sign_bit - 1;
  if (magnitude == __builtin_huge_val()) return sign | infinity;

  const int smallest = 2 - (1 << (exponent_bits - 1));  // exponent of the smallest normal number
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < smallest) exponent = smallest;
  // The value in units of the last place: below 2^(fraction_bits + 1).
  const double scaled = magnitude * power_of_two(fraction_bits - exponent);
  unsigned int units = (unsigned int)scaled;
  const double rest = scaled - units;
  const bool away = mode == rounding::nearest_even ? rest > 0.5 || (rest == 0.5 && (units & 1))
                    : mode == rounding::zero       ? false
                                             : rest > 0 && (mode == rounding::down) == (sign != 0);
  units += away;
  const unsigned int result = ((unsigned int)(exponent - smallest) << fraction_bits) + units;
  if (result < infinity && exponent <= -smallest + 1) return sign | result;
  const bool to_infinity = mode == rounding::nearest_even ||
                           (mode != rounding::zero && (mode == rounding::down) == (sign != 0));
  return sign | (to_infinity ? infinity : infinity - 1);
}

__host__ __device__ inline float to_float(unsigned int bits, int exponent_bits, int fraction_bits) {
  const unsigned int fraction = bits & ((1u << fraction_bits) - 1);
  const unsigned int exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
  const unsigned int sign = bits >> (exponent_bits + fraction_bits) & 1;
  const int smallest = 2 - (1 << (exponent_bits - 1));
  double magnitude;
  if (exponent == (1u << exponent_bits) - 1) {
    magnitude = fraction ? __builtin_nan("") : __builtin_huge_val();
  } else if (exponent == 0) {
    magnitude = fraction * power_of_two(smallest - fraction_bits);
  } else {
    magnitude = (fraction + (1u << fraction_bits)) *
                power_of_two(smallest + (int)exponent - 1 - fraction_bits);
  }
  return (float)(sign ? -magnitude : magnitude);
}

// a * b + c of narrow numbers, whose product is exact: rounded to odd, so that rounding once more
// to fewer bits gives what one rounding would.
__host__ __device__ inline double fused(double a, double b, double c) {
  const double product = a * b, sum = product + c, taken = sum - product;
  const double error = (product - (sum - taken)) + (c - taken);
  const unsigned long long bits = bits_as<unsigned long long>(sum);
  if (error == 0 || error != error || (bits & 1) != 0) return sum;
  return bits_as<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
// The same of an integer.
template <class Integer>
__host__ __device__ inline double to_odd(Integer i) {
  const unsigned long long magnitude = i < 0 ? 0 - (unsigned long long)i : (unsigned long long)i;
  if (sizeof(Integer) < 8 || magnitude >> 53 == 0) return (double)i;
  const double odd = (double)((magnitude & ~0xfffull) | ((magnitude & 0xfff) != 0 ? 0x800 : 0));
  return i < 0 ? -odd : odd;
}

// A whole number, limited to what the integer type holds. A NaN is 0, in 64 bits the top bit alone.
template <class Integer>
__host__ __device__ inline Integer limited(float whole) {
  constexpr bool is_signed = (Integer)-1 < (Integer)0;
#if defined(__CUDA_ARCH__)  // as the instruction does
  if (sizeof(Integer) == 4) {
    return is_signed ? (Integer)__nv_float2int_rz(whole) : (Integer)__nv_float2uint_rz(whole);
  }
  if (sizeof(Integer) == 8) {
    return is_signed ? (Integer)__nv_float2ll_rz(whole) : (Integer)__nv_float2ull_rz(whole);
  }
#endif
  constexpr int digits = sizeof(Integer) * 8 - is_signed;
  constexpr Integer largest = (Integer)((1ull << (digits - 1)) - 1 + (1ull << (digits - 1)));
  if (whole != whole) return sizeof(Integer) == 8 ? (Integer)(1ull << 63) : (Integer)0;
  const float end = (float)(1ull << (digits - 1)) * 2;
  if (whole >= end) return largest;
  if (whole < (is_signed ? -end : 0)) return (Integer)(is_signed ? -largest - 1 : 0);
  return (Integer)whole;
}

}  // namespace raddle_narrow

#include "library_end.h"
