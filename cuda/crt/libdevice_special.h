// Error functions of libdevice and their inverses. Single precision is computed in double. Formulas
// are those of the NIST Digital Library of Mathematical Functions (DLMF).
#pragma once

#include "libdevice_gamma.h"
#include "libdevice_norms.h"

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

extern "C" __device__ double __nv_erfcinv(double q);

// The y with erf(y) = x: Newton's method with Halley's correction.
extern "C" __device__ inline double __nv_erfinv(double x) {
  if (x == 0) return x;
  if (__nv_fabs(x) > 0.5) return __nv_copysign(__nv_erfcinv(1 - __nv_fabs(x)), x);
  double y = x / RADDLE_2_SQRTPI;
  for (int step = 0; step < 4; ++step) {
    double newton = (__nv_erf(y) - x) / (RADDLE_2_SQRTPI * __nv_exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return y;
}

// The y with erfc(y) = q: Winitzki's approximation made exact by Halley's method. Around 1 it is
// erfinv of 1 - q, which is exact.
extern "C" __device__ inline double __nv_erfcinv(double q) {
  if (!(q >= 0 && q <= 2)) return __builtin_nan("");
  if (q == 0) return __builtin_huge_val();
  if (q > 1.5) return -__nv_erfcinv(2 - q);
  if (q >= 0.5) return __nv_erfinv(1 - q);
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
// The rounding of x / sqrt(2) is multiplied by erfc's slope, which is steep in the tail.
RADDLE_LIBDEVICE double __nv_normcdf(double x) {
  const double t = -x * RADDLE_SQRT1_2;
  const double rest = __nv_fma(-x, RADDLE_SQRT1_2, -t) - x * RADDLE_SQRT1_2_LOW;
  const double value = __nv_erfc(t);
  if (!(__nv_fabs(x) < 39)) return 0.5 * value;
  return 0.5 * (value - rest * RADDLE_2_SQRTPI * __nv_exp(-t * t));
}
RADDLE_LIBDEVICE double __nv_normcdfinv(double p) {
  return -2 * RADDLE_SQRT1_2 * __nv_erfcinv(2 * p) + 0.0;
}

#define RADDLE_FLOAT_OF(name) \
  RADDLE_LIBDEVICE float __nv_##name##f(float x) { return (float)__nv_##name(x); }
RADDLE_FLOAT_OF(erfcx)
RADDLE_FLOAT_OF(erfcinv)
RADDLE_FLOAT_OF(erfinv)
RADDLE_FLOAT_OF(normcdf)
RADDLE_FLOAT_OF(normcdfinv)
