// Bessel functions of libdevice. Single precision is computed in double. Formulas are those of the
// NIST Digital Library of Mathematical Functions (DLMF).
#pragma once

#include "libdevice_special.h"

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
// Power series (DLMF 10.2.2, 10.8.1) for small x.
__device__ inline __raddle_bessel __raddle_bessel_series(double x) {
  const double z = -0.25 * x * x;
  double term = 1, j0 = 0, j1 = 0, weighted0 = 0, weighted1 = 0, harmonic = 0;
  for (int k = 0; k < 10; ++k) {  // term = z^k / k!^2, harmonic = 1 + 1/2 + ... + 1/k
    j0 += term;
    weighted0 += harmonic * term;
    j1 += term / (k + 1);
    weighted1 += (2 * harmonic + 1.0 / (k + 1)) * term / (k + 1);
    harmonic += 1.0 / (k + 1);
    term *= z / ((k + 1) * (k + 1));
  }
  j1 *= 0.5 * x;
  const double log_term = __nv_log(x) + (RADDLE_EULER_GAMMA - 0x1.62e42fefa39efp-1);
  const double y0 = RADDLE_2_PI * (log_term * j0 - weighted0);
  const double y1 = RADDLE_2_PI * (log_term * j1 - 0.25 * x * weighted1) - RADDLE_2_PI / x;
  return {j0, j1, y0, y1};
}
__device__ inline __raddle_bessel __raddle_bessel_01(double x) {
  if (x < 0.5) return __raddle_bessel_series(x);
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
  if (__nv_isinfd(x)) return __nv_copysign(0.0, x);
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
  double sign = __nv_signbitd(x) && (n & 1) ? -1 : 1;
  x = __nv_fabs(x);
  if (x == 0 || __nv_isinfd(x)) return sign * 0.0;
  if (x < 1e-3) {  // (x/2)^n / n! (1 - (x/2)^2 / (n + 1) + ...)
    double term = 1;
    for (int k = 1; k <= n && term != 0; ++k) term *= 0.5 * x / k;
    return sign * term * (1 - 0.25 * x * x / (n + 1));
  }
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
// asymptotic series 10.40.1. What rounding took from (x/2)^2 counts in the term k of the power
// series k times; near overflow exp(x/2) is squared.
__device__ inline double __raddle_cyl_bessel_i(int order, double x) {
  const double magnitude = __nv_fabs(x);
  if (magnitude != magnitude) return magnitude;
  if (magnitude > 720) return __nv_copysign(__builtin_huge_val(), order == 1 ? x : 1.0);
  double sum = 0;
  if (magnitude < 20) {
    const double half = 0.5 * x, quarter = half * half, lost = __nv_fma(half, half, -quarter);
    double term = order == 0 ? 1 : half, weighted = 0;
    if (order == 1 && magnitude < 1e-8) return half;
    for (int k = 1; sum + term != sum; ++k) {
      sum += term;
      weighted += (k - 1) * term;
      term *= quarter / ((double)k * (k + order));
    }
    return quarter < 1 ? sum : sum + weighted * (lost / quarter);
  }
  double term = 1, tail = 0;
  for (int k = 0; k < 40; ++k) {
    const double odd = 2 * k + 1;
    term *= -(4.0 * order * order - odd * odd) / (8 * (k + 1) * magnitude);
    if (tail + term == tail) break;
    tail += term;
  }
  // (1 + tail) / sqrt(2 pi x) with the roundings of the sum and of the root.
  sum = 1 + tail;
  const double two_pi = 0x1.921fb54442d18p+2, two_pi_low = 0x1.1a62633145c07p-52;
  const double product = magnitude * two_pi, root = __nv_sqrt(product);
  const double lost = __nv_fma(magnitude, two_pi, -product) + magnitude * two_pi_low;
  const double root_low = (__nv_fma(-root, root, product) + lost) / (2 * root);
  double value = sum / root;
  value += (__nv_fma(-value, root, sum) - value * root_low + (tail - (sum - 1))) / root;
  const bool large = magnitude > 700;
  const double power = __nv_exp(large ? 0.5 * magnitude : magnitude);
  value *= power;
  return __nv_copysign(large ? value * power : value, order == 1 ? x : 1.0);
}
RADDLE_LIBDEVICE double __nv_cyl_bessel_i0(double x) { return __raddle_cyl_bessel_i(0, x); }
RADDLE_LIBDEVICE double __nv_cyl_bessel_i1(double x) { return __raddle_cyl_bessel_i(1, x); }

RADDLE_FLOAT_OF(j0)
RADDLE_FLOAT_OF(j1)
RADDLE_FLOAT_OF(y0)
RADDLE_FLOAT_OF(y1)
RADDLE_FLOAT_OF(cyl_bessel_i0)
RADDLE_FLOAT_OF(cyl_bessel_i1)
RADDLE_LIBDEVICE float __nv_jnf(int n, float x) { return (float)__nv_jn(n, x); }
RADDLE_LIBDEVICE float __nv_ynf(int n, float x) { return (float)__nv_yn(n, x); }
