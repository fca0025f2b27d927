// Functions that libclc has with a larger error than CUDA states, or without subnormal results.
#pragma once

#include "libdevice_basic.h"

// ex2.approx is within 2^-22 and keeps subnormal numbers.
RADDLE_LIBDEVICE float __nv_exp2f(float a) { return __raddle_fast_exp2f(a); }

// e^a = 2^n e^r with |r| <= ln(2) / 2; 2^n is multiplied in two steps, of which only the second can
// round, so that subnormal results are rounded once.
RADDLE_LIBDEVICE float __nv_expf(float a) {
  if (a > 89.0f) return __builtin_huge_valf();
  if (a < -104.0f) return 0.0f;
  const float n = __nv_rintf(a * 0x1.715476p+0f);
  const float r = __nv_fmaf(-n, -0x1.05c610p-29f, __nv_fmaf(-n, 0x1.62e430p-1f, a));
  const int first = __nv_float2int_rz(n) / 2, second = __nv_float2int_rz(n) - first;
  const float power = __raddle_fast_exp2f(r * 0x1.715476p+0f);
  return power * __nv_int_as_float((first + 127) << 23) * __nv_int_as_float((second + 127) << 23);
}

RADDLE_LIBDEVICE float __nv_erfcf(float a) { return (float)__nv_erfc(a); }
RADDLE_LIBDEVICE float __nv_sinpif(float a) { return (float)__nv_sinpi(a); }
RADDLE_LIBDEVICE float __nv_cospif(float a) { return (float)__nv_cospi(a); }

RADDLE_LIBDEVICE void __nv_sincospif(float a, float* s, float* c) {
  *s = __nv_sinpif(a);
  *c = __nv_cospif(a);
}

// The gamma function of x + low for x > 0, where low is what rounding left of x. Stirling's series
// (DLMF 5.11.1 with 5.11.3) from 12 on, where its seventh term is below double precision; smaller
// arguments are moved up by the recurrence 5.5.1. low counts by the logarithmic derivative.
extern "C" __device__ inline double __raddle_tgamma_positive(double x, double low) {
  double product = 1, product_low = 0, shifted = x;
  if (x < 12) {
    const int steps = 12 - (int)x;
    for (int k = 0; k < steps; ++k) {
      const double factor = x + k, factor_low = low + (x - (factor - k));
      const double next = product * factor;
      product_low = product_low * factor + product * factor_low + __nv_fma(product, factor, -next);
      product = next;
    }
    shifted = x + steps;
    low += x - (shifted - steps);
  }
  const double inverse = 1 / shifted, square = inverse * inverse;
  double series = 1.0 / 156;
  series = series * square - 691.0 / 360360;
  series = series * square + 1.0 / 1188;
  series = series * square - 1.0 / 1680;
  series = series * square + 1.0 / 1260;
  series = series * square - 1.0 / 360;
  series = series * square + 1.0 / 12;
  const double correction =
      series * inverse + low * (__nv_log(shifted) - 0.5 * inverse) - product_low / product;
  // Half of the power at a time, which as a whole would overflow.
  const double half = __nv_pow(shifted, 0.5 * shifted - 0.25);
  const double root_two_pi = 0x1.40d931ff62706p+1;
  return half * (root_two_pi * __nv_exp(-shifted) * half * __nv_exp(correction)) / product;
}

extern "C" __device__ inline double __nv_tgamma(double x) {
  if (x == 0) return __nv_copysign(__builtin_huge_val(), x);
  if (x != x) return x;
  if (x > 172) return __builtin_huge_val();
  if (x > 0) return __raddle_tgamma_positive(x, 0);
  if (x == __nv_trunc(x)) return __builtin_nan("");
  // Reflection (DLMF 5.5.3) at 1 - x.
  const double reflected = 1 - x;
  const double low = x < -1 ? 1 - (reflected + x) : -x - (reflected - 1);
  if (reflected > 185) return 0;
  return 0x1.921fb54442d18p+1 / (__nv_sinpi(x) * __raddle_tgamma_positive(reflected, low));
}
RADDLE_LIBDEVICE float __nv_tgammaf(float a) { return (float)__nv_tgamma(a); }
