// Error functions, their inverses, and Bessel functions of libdevice. Single precision is computed
// in double. Formulas are those of the NIST Digital Library of Mathematical Functions (DLMF).
#pragma once

#include "libdevice_refined.h"

#define RADDLE_SQRT1_2 0x1.6a09e667f3bcdp-1
#define RADDLE_SQRT1_2_LOW -0x1.bdd3413b26456p-55
#define RADDLE_2_SQRTPI 0x1.20dd750429b6dp+0
#define RADDLE_2_PI 0x1.45f306dc9c883p-1
#define RADDLE_EULER_GAMMA 0x1.2788cfc6fb619p-1

// exp(x^2) erfc(x): for large x the continued fraction of DLMF 7.9.3.
extern "C" __device__ inline double __nv_erfcx(double x) {
  if (x < 5) {
    double square = x * x;
    double rest = __nv_fma(x, x, -square);
    double e = __nv_exp(square);
    return e * __nv_erfc(x) * (__nv_isinfd(e) ? 1 : 1 + rest);
  }
  double tail = x;
  for (int k = 40; k > 0; --k) tail = x + 0.5 * k / tail;
  return 0.5 * RADDLE_2_SQRTPI / tail;
}

// The y with erfc(y) = q for small q: Newton's method on log(erfc(y)) = log(erfcx(y)) - y^2, which
// is nearly a parabola.
__device__ inline double __raddle_erfcinv_tail(double q) {
  const double log_q = __nv_log(q);
  double y = __nv_sqrt(-log_q);
  for (int step = 0; step < 6; ++step) {
    const double scaled = __nv_erfcx(y);
    y += (__nv_log(scaled) - y * y - log_q) * scaled / RADDLE_2_SQRTPI;
  }
  return y;
}

// The y with erfc(y) = q: Winitzki's approximation made exact by Halley's method.
extern "C" __device__ inline double __nv_erfcinv(double q) {
  if (!(q >= 0 && q <= 2)) return __builtin_nan("");
  if (q == 0) return __builtin_huge_val();
  if (q > 1) return -__nv_erfcinv(2 - q);
  if (q < 0.1) return __raddle_erfcinv_tail(q);
  double log_term = __nv_log(q) + __nv_log1p(1 - q);
  double t = RADDLE_2_PI / 0.147 + 0.5 * log_term;
  double y = __nv_sqrt(__nv_sqrt(t * t - log_term / 0.147) - t);
  for (int step = 0; step < 4; ++step) {
    double newton = (__nv_erfc(y) - q) / (RADDLE_2_SQRTPI * __nv_exp(-y * y));
    y += newton / (1 + y * newton);
  }
  return y;
}
extern "C" __device__ inline double __nv_erfinv(double x) {
  if (__nv_fabs(x) > 0.5) return __nv_copysign(__nv_erfcinv(1 - __nv_fabs(x)), x);
  double y = x / RADDLE_2_SQRTPI;
  for (int step = 0; step < 4; ++step) {
    double newton = (__nv_erf(y) - x) / (RADDLE_2_SQRTPI * __nv_exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return y;
}
// The rounding of x / sqrt(2) is multiplied by erfc's slope, which is steep in the tail.
RADDLE_LIBDEVICE double __nv_normcdf(double x) {
  const double t = -x * RADDLE_SQRT1_2;
  const double rest = __nv_fma(-x, RADDLE_SQRT1_2, -t) - x * RADDLE_SQRT1_2_LOW;
  const double value = __nv_erfc(t);
  if (!(__nv_fabs(x) < 39)) return 0.5 * value;
  return 0.5 * (value - rest * RADDLE_2_SQRTPI * __nv_exp(-t * t));
}
RADDLE_LIBDEVICE double __nv_normcdfinv(double p) {
  return -2 * RADDLE_SQRT1_2 * __nv_erfcinv(2 * p);
}

// J and Y of orders 0 and 1, for x > 0.
struct __raddle_bessel {
  double j0, j1, y0, y1;
};

// DLMF 10.17.3-4: the asymptotic series, used where its smallest term is below double precision.
__device__ inline __raddle_bessel __raddle_bessel_asymptotic(double x) {
  double j[2], y[2];
  for (int order = 0; order < 2; ++order) {
    double p = 0, q = 0, term = 1;
    for (int k = 0; k < 30; ++k) {
      double sign = (k & 2) ? -1 : 1;
      if (k & 1) {
        q += sign * term;
      } else {
        p += sign * term;
      }
      double odd = 2 * k + 1;
      double next = term * (4.0 * order * order - odd * odd) / (8 * (k + 1) * x);
      if (__nv_fabs(next) > __nv_fabs(term)) break;
      term = next;
    }
    // cos(x - pi/4) and sin(x - pi/4) by the addition theorem; order 1 is a quarter turn on.
    double c = (__nv_cos(x) + __nv_sin(x)) * RADDLE_SQRT1_2;
    double s = (__nv_sin(x) - __nv_cos(x)) * RADDLE_SQRT1_2;
    double cosine = order == 0 ? c : s;
    double sine = order == 0 ? s : -c;
    double scale = __nv_sqrt(RADDLE_2_PI / x);
    j[order] = scale * (p * cosine - q * sine);
    y[order] = scale * (p * sine + q * cosine);
  }
  return {j[0], j[1], y[0], y[1]};
}

// Miller's backward recurrence (DLMF 3.6(v)) normalised by 1 = J0 + 2 sum J2k (10.12.4); Y from the
// Neumann series 10.8.3 of order 0 and its derivative.
__device__ inline __raddle_bessel __raddle_bessel_recurrence(double x) {
  int start = 2 * ((int)(x + 12 * __nv_cbrt(x) + 30) / 2);
  double above = 0, current = 1e-280, norm = 0, series0 = 0, series1 = 0;
  double j0 = 0, j1 = 0;
  for (int n = start; n >= 0; --n) {  // current = J_n up to the norm
    int k = n / 2;
    double sign = (k & 1) ? -1 : 1;
    if (n == 0) {
      j0 = current;
      norm += current;
    } else if (n % 2 == 0) {
      norm += 2 * current;
      series0 -= sign * current / k;
    } else if (n == 1) {
      j1 = current;
    } else {
      series1 += sign * (2 * k + 1) * current / ((double)k * (k + 1));
    }
    double below = 2 * n / x * current - above;
    above = current;
    current = below;
    if (__nv_fabs(current) > 1e250) {
      const double shrink = 1e-250;
      above *= shrink, current *= shrink, norm *= shrink, series0 *= shrink, series1 *= shrink;
    }
  }
  j0 /= norm, j1 /= norm, series0 /= norm, series1 /= norm;
  double log_term = __nv_log(0.5 * x) + RADDLE_EULER_GAMMA;
  double y0 = RADDLE_2_PI * (log_term * j0 + 2 * series0);
  double y1 = RADDLE_2_PI * (-j0 / x + (log_term - 1) * j1 - series1);
  return {j0, j1, y0, y1};
}
__device__ inline __raddle_bessel __raddle_bessel_01(double x) {
  return x > 25 ? __raddle_bessel_asymptotic(x) : __raddle_bessel_recurrence(x);
}

extern "C" __device__ inline double __nv_j0(double x) {
  x = __nv_fabs(x);
  if (x == 0) return 1;
  if (__nv_isinfd(x)) return 0;
  return x == x ? __raddle_bessel_01(x).j0 : x;
}
extern "C" __device__ inline double __nv_j1(double x) {
  if (x == 0 || x != x) return x;
  if (__nv_isinfd(x)) return 0;
  return __nv_copysign(1.0, x) * __raddle_bessel_01(__nv_fabs(x)).j1;
}
extern "C" __device__ inline double __nv_y0(double x) {
  if (x == 0) return -__builtin_huge_val();
  if (!(x > 0)) return __builtin_nan("");
  return __nv_isinfd(x) ? 0 : __raddle_bessel_01(x).y0;
}
extern "C" __device__ inline double __nv_y1(double x) {
  if (x == 0) return -__builtin_huge_val();
  if (!(x > 0)) return __builtin_nan("");
  return __nv_isinfd(x) ? 0 : __raddle_bessel_01(x).y1;
}

// Forward recurrence is stable for Y, and for J as long as the order stays below x.
extern "C" __device__ inline double __nv_yn(int n, double x) {
  if (n < 0) return __builtin_nan("");
  double below = __nv_y0(x), current = __nv_y1(x);
  if (n == 0) return below;
  for (int k = 1; k < n && !__nv_isinfd(current); ++k) {
    double next = 2 * k / x * current - below;
    below = current;
    current = next;
  }
  return current;
}
extern "C" __device__ inline double __nv_jn(int n, double x) {
  if (n < 0) return __builtin_nan("");
  if (n == 0) return __nv_j0(x);
  if (n == 1) return __nv_j1(x);
  double sign = x < 0 && (n & 1) ? -1 : 1;
  x = __nv_fabs(x);
  if (x == 0 || __nv_isinfd(x)) return 0;
  double below = __nv_j0(x), current = __nv_j1(x);
  if (n <= x) {
    for (int k = 1; k < n; ++k) {
      double next = 2 * k / x * current - below;
      below = current;
      current = next;
    }
    return sign * current;
  }
  // Backward from well above n down to the larger of J0 and J1, which fixes the scale.
  double j0 = below, j1 = current, above = 0, wanted = 0;
  current = 1e-280;
  for (int k = n + (int)(12 * __nv_cbrt((double)n)) + 30; k > 0; --k) {
    below = 2 * k / x * current - above;
    above = current;
    current = below;
    if (k - 1 == n) wanted = current;
    if (__nv_fabs(current) > 1e250) above *= 1e-250, current *= 1e-250, wanted *= 1e-250;
  }
  return sign * wanted * (__nv_fabs(j0) > __nv_fabs(j1) ? j0 / current : j1 / above);
}

// Modified Bessel functions: the power series 10.25.2, all of whose terms have one sign, and the
// asymptotic series 10.40.1. exp(x/2) is squared so that the product overflows only when I does.
__device__ inline double __raddle_cyl_bessel_i(int order, double x) {
  double magnitude = __nv_fabs(x);
  if (magnitude != magnitude || __nv_isinfd(magnitude)) return order == 0 ? magnitude : x;
  double sum = 0;
  if (magnitude < 20) {
    double quarter = 0.25 * x * x, term = order == 0 ? 1 : 0.5 * x;
    for (int k = 1; sum + term != sum; ++k) {
      sum += term;
      term *= quarter / ((double)k * (k + order));
    }
    return sum;
  }
  double term = 1;
  for (int k = 0; k < 40 && sum + term != sum; ++k) {
    sum += term;
    double odd = 2 * k + 1;
    term *= -(4.0 * order * order - odd * odd) / (8 * (k + 1) * magnitude);
  }
  double half = __nv_exp(0.5 * magnitude);
  double value = half * (sum * 0.5 * __nv_sqrt(RADDLE_2_PI / magnitude)) * half;
  return order == 1 ? __nv_copysign(value, x) : value;
}
RADDLE_LIBDEVICE double __nv_cyl_bessel_i0(double x) { return __raddle_cyl_bessel_i(0, x); }
RADDLE_LIBDEVICE double __nv_cyl_bessel_i1(double x) { return __raddle_cyl_bessel_i(1, x); }

#define RADDLE_FLOAT_OF(name) \
  RADDLE_LIBDEVICE float __nv_##name##f(float x) { return (float)__nv_##name(x); }
RADDLE_FLOAT_OF(erfcx)
RADDLE_FLOAT_OF(erfcinv)
RADDLE_FLOAT_OF(erfinv)
RADDLE_FLOAT_OF(normcdf)
RADDLE_FLOAT_OF(normcdfinv)
RADDLE_FLOAT_OF(j0)
RADDLE_FLOAT_OF(j1)
RADDLE_FLOAT_OF(y0)
RADDLE_FLOAT_OF(y1)
RADDLE_FLOAT_OF(cyl_bessel_i0)
RADDLE_FLOAT_OF(cyl_bessel_i1)
RADDLE_LIBDEVICE float __nv_jnf(int n, float x) { return (float)__nv_jn(n, x); }
RADDLE_LIBDEVICE float __nv_ynf(int n, float x) { return (float)__nv_yn(n, x); }
