// References for the functions of functions.inc: in quadruple precision (libquadmath) or, for exact
// functions and specified roundings, by the host's C library and arithmetic.
#pragma once

#include <quadmath.h>

#include <cfenv>
#include <cmath>
#include <limits>

using Quad = __float128;

/// A result that nothing is stated about.
extern bool skipped;
inline double skip() {
  skipped = true;
  return 0;
}

// sin(pi x) and cos(pi x), reduced exactly to an eighth of a turn; zeros have the sign of x, and +.
inline Quad turn(Quad x, int quarter) {
  if (!finiteq(x)) return nanq("");
  const Quad r = fmodq(x, 2), k = rintq(2 * r), rest = M_PIq * (r - k / 2);
  switch (((int)k + quarter) & 3) {
    case 0:
      return sinq(rest);
    case 1:
      return cosq(rest);
    case 2:
      return -sinq(rest);
    default:
      return -cosq(rest);
  }
}
inline Quad sinpi_reference(Quad x) {
  const Quad s = turn(x, 0);
  return s == 0 ? copysignq(0, x) : s;
}
inline Quad cospi_reference(Quad x) { return turn(x, 1) + 0; }

inline Quad exp10_reference(Quad x) { return powq(10, x); }

// exp(x^2) erfc(x); beyond 20 the continued fraction (DLMF 7.9.3).
inline Quad erfcx_reference(Quad x) {
  if (x < 20) return expq(x * x) * erfcq(x);
  Quad tail = x;
  for (int k = 200; k > 0; --k) tail = x + Quad(k) / 2 / tail;
  return M_2_SQRTPIq / 2 / tail;
}

// Newton's method on erf(y) = x near 0, and on log(erfc(y)) = log(q) elsewhere.
inline Quad erfinv_small(Quad x) {
  Quad y = x / M_2_SQRTPIq;
  for (int step = 0; step < 30; ++step) {
    const Quad change = (erfq(y) - x) / (M_2_SQRTPIq * expq(-y * y));
    y -= change;
    if (fabsq(change) <= fabsq(y) * 1e-30Q) break;
  }
  return y;
}
inline Quad erfcinv_reference(Quad q) {
  if (!(q >= 0 && q <= 2)) return nanq("");
  if (q == 0) return HUGE_VALQ;
  if (q == 2) return -HUGE_VALQ;
  if (q > 1.5Q) return -erfcinv_reference(2 - q);
  if (q >= 0.5Q) return q == 1 ? 0 : erfinv_small(1 - q);
  const Quad log_q = logq(q);
  Quad y = sqrtq(-log_q);
  for (int step = 0; step < 40; ++step) {
    const Quad scaled = erfcx_reference(y);
    const Quad change = (logq(scaled) - y * y - log_q) * scaled / M_2_SQRTPIq;
    y += change;
    if (fabsq(change) <= fabsq(y) * 1e-30Q) break;
  }
  return y;
}
inline Quad erfinv_reference(Quad x) {
  if (!(fabsq(x) <= 1)) return nanq("");
  if (fabsq(x) < 0.5Q) return x == 0 ? x : erfinv_small(x);
  return copysignq(erfcinv_reference(1 - fabsq(x)), x);
}
inline Quad normcdf_reference(Quad x) { return erfcq(-x * M_SQRT1_2q) / 2; }
inline Quad normcdfinv_reference(Quad p) { return -M_SQRT2q * erfcinv_reference(2 * p) + 0; }

inline Quad norm_reference(Quad x, Quad y, Quad z, Quad w) {
  if (isinfq(x) || isinfq(y) || isinfq(z) || isinfq(w)) return HUGE_VALQ;
  return sqrtq(x * x + y * y + z * z + w * w);
}

inline Quad tgamma_reference(Quad x) {
  // Of infinity and of the poles the C library's conventions.
  if (x < 0 && x == truncq(x)) return nanq("");
  if (isinfq(x)) return x > 0 ? HUGE_VALQ : nanq("");
  if (x > 1700) return HUGE_VALQ;
  if (x < -1700) return copysignq(1e-4000Q, fmodq(floorq(x), 2) != 0 ? -1 : 1);
  return tgammaq(x);
}
inline Quad lgamma_reference(Quad x) {
  if (x <= 0 && x == truncq(x)) return HUGE_VALQ;
  return isinfq(x) ? HUGE_VALQ : lgammaq(x);
}

inline Quad jn_reference(int n, Quad x) {
  if (isinfq(x)) return x < 0 && n % 2 == 1 ? -0.0Q : 0;
  return jnq(n, x);
}
inline Quad yn_reference(int n, Quad x) {
  if (x < 0 || x != x) return nanq("");
  if (x == 0) return -HUGE_VALQ;
  return isinfq(x) ? 0 : ynq(n, x);
}
// The power series (DLMF 10.25.2), whose terms all have one sign.
inline Quad bessel_i_reference(int n, Quad x) {
  if (x != x) return x;
  if (fabsq(x) > 800) return n == 0 || x > 0 ? HUGE_VALQ : -HUGE_VALQ;
  Quad term = n == 0 ? 1 : x / 2, sum = 0;
  for (int k = 1; sum + term != sum; ++k) {
    sum += term;
    term *= x * x / 4 / (Quad(k) * (k + n));
  }
  return n == 1 && x == 0 ? x : sum;
}

// Exact functions.
template <class T>
T larger(T x, T y) {
  if (x == y) return std::signbit(x) ? y : x;
  return std::fmax(x, y);
}
template <class T>
T smaller(T x, T y) {
  if (x == y) return std::signbit(x) ? x : y;
  return std::fmin(x, y);
}
template <class T>
double ilogb_reference(T x) {
  if (x == 0 || x != x) return std::numeric_limits<int>::min();
  return std::isinf(x) ? std::numeric_limits<int>::max() : std::ilogb(x);
}
template <class T>
double within_long(T v) {
  return std::fabs(v) < 0x1p62 ? v + 0.0 : skip();  // an integer zero has no sign
}
template <class T>
double frexp_exponent_reference(T x) {
  if (!std::isfinite(x)) return skip();
  int exponent;
  std::frexp(x, &exponent);
  return exponent;
}
template <class T>
T modf_fraction_reference(T x) {
  T integral;
  return std::modf(x, &integral);
}
template <class T>
double quotient_reference(T x, T y) {
  if (!std::isfinite(x) || y == 0 || y != y) return skip();
  int quotient;
  std::remquo(x, y, &quotient);
  return quotient % 8;
}

// Points with exact results.
inline double factorial_before(double x) {
  if (x < 1 || x > 171 || x != std::trunc(x)) return skip();
  Quad product = 1;  // exact below 33!, which is far beyond what double holds exactly
  for (int k = 2; k < x; ++k) product *= k;
  if (x > 23) return skip();
  return (double)product;
}
inline double power_of_two(double x) {
  if (x != std::trunc(x) || std::fabs(x) > 2000) return skip();
  return std::ldexp(1.0, (int)x);
}
inline double logarithm_of_power_of_two(double x) {
  if (!(x > 0) || std::isinf(x)) return skip();
  int exponent;
  return std::frexp(x, &exponent) == 0.5 ? exponent - 1 : skip();
}
inline double root_of_cube(double x) { return std::fabs(x) <= 200 ? std::trunc(x) : skip(); }
inline double half_turns(double n) {
  if (!(std::fabs(n) < 0x1p40)) return skip();
  constexpr double kSine[4] = {0, 1, 0, -1};
  const double s = kSine[(long long)n & 3];
  return s == 0 ? skip() : s;
}
inline double small_whole(double x) {
  return std::fabs(x) < 1 << 20 ? std::fabs(std::trunc(x)) : skip();
}
inline double power_of_ten(double x) {
  if (x != std::trunc(x) || x < 0 || x > 10) return skip();
  return std::pow(10.0L, (long double)x);
}
inline double whole_power(double x, double y) {
  if (!(std::fabs(x) <= 40 && y >= 0 && y <= 40)) return skip();
  Quad product = 1;
  for (int k = 0; k < y; ++k) product *= x;
  return fabsq(product) < 1 << 24 ? (double)product : skip();
}

// Approximations are stated for parts of their domains.
template <class T>
Quad normal(T x, Quad value) {
  return std::fpclassify(x) == FP_SUBNORMAL ? skip() : value;
}
template <class T>
Quad within_pi(T x, Quad value) {
  return std::fabs(x) <= M_PI ? value : (Quad)skip();
}
inline Quad fast_quotient(float x, float y) {
  if (!(std::fabs(y) >= 0x1p-126f && std::fabs(y) <= 0x1p126f)) return skip();
  const Quad quotient = Quad(x) / y;
  if (std::fpclassify(x) == FP_SUBNORMAL || fabsq(quotient) < 0x1p-126) return skip();
  return quotient;
}
inline Quad moderate_power(float x, float y) {
  if (!(x >= 0.5f && x <= 2 && std::fabs(y) <= 4)) return skip();
  return powq(x, y);
}

// The host's arithmetic in a rounding mode; the compiler must not fold it.
template <class T>
T opaque(T x) {
  volatile T value = x;
  return value;
}
template <class F>
auto rounded(int mode, F f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return +result;
}
