// Transcendental functions for the .approx instructions: evaluated in double precision by
// polynomials, far inside the error bounds of PTX ISA 9.7.3.18 to 9.7.3.22; the same bits on every
// host. Written without branches, for the vectorizer.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace raddle::isa {

/// 2^exponent for exponents of normal doubles.
inline double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// x rounded to the nearest integer, for |x| < 2^51.
inline double nearest_integer(double x) {
  constexpr double kMagic = 0x1.8p52;
  return (x + kMagic) - kMagic;
}

/// 2^x; relative error below 2^-40.
inline double approximate_ex2(double x) {
  const double clamped = x > 1000 ? 1000 : (x > -1000 ? x : -1000);
  const double whole = nearest_integer(clamped);
  const double t = (clamped - whole) * 0x1.62e42fefa39efp-1;  // ln 2
  // Taylor's series of e^t for |t| <= ln 2 / 2.
  double p = 1.0 / 39916800;
  p = std::fma(p, t, 1.0 / 3628800);
  p = std::fma(p, t, 1.0 / 362880);
  p = std::fma(p, t, 1.0 / 40320);
  p = std::fma(p, t, 1.0 / 5040);
  p = std::fma(p, t, 1.0 / 720);
  p = std::fma(p, t, 1.0 / 120);
  p = std::fma(p, t, 1.0 / 24);
  p = std::fma(p, t, 1.0 / 6);
  p = std::fma(p, t, 0.5);
  p = std::fma(p, t, 1.0);
  p = std::fma(p, t, 1.0);
  const double result = p * power_of_two(static_cast<std::int32_t>(whole));
  return x != x ? x : result;
}

/// log2 x; absolute error below 2^-40. x is zero, infinite, or a normal double.
inline double approximate_lg2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)).
  constexpr std::uint64_t kHalfRoot = 0x3fe6'a09e'667f'3bcdu;
  const auto e = static_cast<std::int32_t>(static_cast<std::int64_t>(bits - kHalfRoot) >> 52);
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(e) << 52));
  // ln m = 2 artanh((m - 1) / (m + 1)).
  const double s = (m - 1) / (m + 1);
  const double q = s * s;
  double p = 1.0 / 15;
  p = std::fma(p, q, 1.0 / 13);
  p = std::fma(p, q, 1.0 / 11);
  p = std::fma(p, q, 1.0 / 9);
  p = std::fma(p, q, 1.0 / 7);
  p = std::fma(p, q, 1.0 / 5);
  p = std::fma(p, q, 1.0 / 3);
  p = std::fma(p, q, 1.0);
  const double finite = std::fma(s * p, 0x1.71547652b82fep+1, e);  // 2 / ln 2
  constexpr double kInfinity = __builtin_inf();
  const double ordinary = x == kInfinity ? kInfinity : finite;
  return x > 0 ? ordinary : (x == 0 ? -kInfinity : __builtin_nan(""));
}

/// sin(x + quadrant * pi/2); absolute error below 2^-30 for |x| up to 2^20. NaN for infinities.
inline double approximate_sine(double x, std::int64_t quadrant) {
  constexpr double kMagic = 0x1.8p52;
  const double turns = std::fma(x, 0x1.45f306dc9c883p-1, kMagic);  // quarter turns: 2/pi
  const auto n = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(turns)) + quadrant;
  const double whole = turns - kMagic;
  double r = std::fma(whole, -0x1.921fb54442d18p+0, x);  // pi/2 in two parts
  r = std::fma(whole, -0x1.1a62633145c07p-54, r);
  const double q = r * r;
  double s = -1.0 / 39916800;
  s = std::fma(s, q, 1.0 / 362880);
  s = std::fma(s, q, -1.0 / 5040);
  s = std::fma(s, q, 1.0 / 120);
  s = std::fma(s, q, -1.0 / 6);
  s = std::fma(s * q, r, r);
  double c = 1.0 / 479001600;
  c = std::fma(c, q, -1.0 / 3628800);
  c = std::fma(c, q, 1.0 / 40320);
  c = std::fma(c, q, -1.0 / 720);
  c = std::fma(c, q, 1.0 / 24);
  c = std::fma(c, q, -0.5);
  c = std::fma(c, q, 1.0);
  const double chosen = (n & 1) != 0 ? c : s;
  const double value = (n & 2) != 0 ? -chosen : chosen;
  // Beyond the reach of the reduction the remainder is not small: keep it a sine's value.
  const double bounded = value > 1 ? 1.0 : (value > -1 ? value : -1.0);
  return std::fabs(x) < __builtin_inf() ? bounded : __builtin_nan("");
}

/// tanh x; relative error below 2^-30.
inline double approximate_tanh(double x) {
  const double a = std::fabs(x);
  const double q = a * a;
  double p = 62.0 / 2835;
  p = std::fma(p, q, -17.0 / 315);
  p = std::fma(p, q, 2.0 / 15);
  p = std::fma(p, q, -1.0 / 3);
  const double small = std::fma(p * q, a, a);
  const double e = approximate_ex2(a * 0x1.71547652b82fep+1);  // e^2a
  const double large = 1 - 2 / (e + 1);
  return std::copysign(a < 0x1p-4 ? small : large, x);
}

}  // namespace raddle::isa
