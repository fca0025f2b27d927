// The gamma function of libdevice. Formulas are those of the NIST Digital Library of Mathematical
// Functions (DLMF).
#pragma once

#include "libdevice_refined.h"

// A value in factors, whose product may be outside double precision: power^2 * factor.
struct __raddle_gamma {
  double power, factor;
};

// The gamma function of x + low for x > 0, where low is what rounding left of x. Stirling's series
// (DLMF 5.11.1 with 5.11.3) from 12 on, where its seventh term is below double precision; smaller
// arguments are moved up by the recurrence 5.5.1. low counts by the logarithmic derivative.
__device__ inline __raddle_gamma __raddle_gamma_of(double x, double low) {
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
  const double root_two_pi = 0x1.40d931ff62706p+1;
  return {__nv_pow(shifted, 0.5 * shifted - 0.25),
          root_two_pi * __nv_exp(-shifted) * __nv_exp(correction) / product};
}

// (n - 1)!, correctly rounded but for ties closer than 2^-100: the product with its rounding error.
__device__ inline double __raddle_factorial_before(int n) {
  // A product that is summed with its rounding error must not become part of another operation.
#pragma clang fp contract(off)
  double product = 1, low = 0;
  for (int k = 2; k < n; ++k) {
    const double next = product * k;
    low = low * k + __nv_fma(product, (double)k, -next);
    product = next + low;
    low -= product - next;
  }
  return product;
}

extern "C" __device__ inline double __nv_tgamma(double x) {
  if (__nv_fabs(x) < 0x1p-60) return 1 / x;
  if (x != x) return x;
  if (x > 172) return __builtin_huge_val();
  if (x > 0) {
    if (x == __nv_trunc(x) && x < 172) return __raddle_factorial_before((int)x);
    const __raddle_gamma g = __raddle_gamma_of(x, 0);
    return g.power * (g.factor * g.power);
  }
  if (x == __nv_trunc(x)) return __builtin_nan("");
  // Reflection (DLMF 5.5.3) at 1 - x.
  const double reflected = 1 - x;
  const double low = x < -1 ? 1 - (reflected + x) : -x - (reflected - 1);
  const double sine = __nv_sinpi(x);
  if (reflected > 186) return __nv_copysign(0.0, sine);
  const __raddle_gamma g = __raddle_gamma_of(reflected, low);
  return 0x1.921fb54442d18p+1 / (sine * g.factor) / g.power / g.power;
}
RADDLE_LIBDEVICE float __nv_tgammaf(float a) { return (float)__nv_tgamma(a); }
