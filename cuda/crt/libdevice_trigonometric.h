// Sine, cosine and tangent of libdevice in double precision, of any argument, and of multiples of
// pi. An argument is reduced to a rest within pi/4 of a multiple of pi/2, as the sum of two
// numbers.
#pragma once

#include "libdevice_basic.h"

// pi/2 in three parts, 159 bits.
#define RADDLE_PI_2_HIGH 0x1.921fb54442d18p+0
#define RADDLE_PI_2_MIDDLE 0x1.1a62633145c07p-54
#define RADDLE_PI_2_LOW -0x1.f1976b7ed8fbcp-110

struct __raddle_angle {
  double rest, low;  // their sum is the angle's distance from the multiple
  int quarter;       // which multiple of pi/2, modulo 4
};

// Bits of 2/pi behind the point, after 64 zeros.
__device__ static const unsigned long long __raddle_two_over_pi[21] = {0,
                                                                       0xa2f9836e4e441529,
                                                                       0xfc2757d1f534ddc0,
                                                                       0xdb6295993c439041,
                                                                       0xfe5163abdebbc561,
                                                                       0xb7246e3a424dd2e0,
                                                                       0x06492eea09d1921c,
                                                                       0xfe1deb1cb129a73e,
                                                                       0xe88235f52ebb4484,
                                                                       0xe99c7026b45f7e41,
                                                                       0x3991d639835339f4,
                                                                       0x9c845f8bbdf9283b,
                                                                       0x1ff897ffde05980f,
                                                                       0xef2f118b5a0a6d1f,
                                                                       0x6d367ecf27cb09b7,
                                                                       0x4f463f669e5fea2d,
                                                                       0x7527bac7ebe5f17b,
                                                                       0x3d0739f78a5292ea,
                                                                       0x6bfb5fb11f8d5d08,
                                                                       0x56033046fc7b6bab,
                                                                       0xf0cfbc209af4361d};

// A multiple of a quarter turn (a fraction in sixty-fourths of its bits) times pi/2.
__device__ inline void __raddle_times_half_pi(double high, double low, __raddle_angle* angle) {
  angle->rest = high * RADDLE_PI_2_HIGH;
  angle->low = __nv_fma(high, RADDLE_PI_2_HIGH, -angle->rest) + high * RADDLE_PI_2_MIDDLE +
               low * RADDLE_PI_2_HIGH;
}

// Payne and Hanek, "Radian reduction for trigonometric functions" (1983), for |x| >= 2^20: of
// x * 2/pi the bits above 4 are never computed. x = m 2^e; with 192 bits of 2/pi from bit e - 2 on,
// the low 192 bits of the product with m are a number below 4 quarter turns.
__device__ __attribute__((noinline)) inline __raddle_angle __raddle_reduce_large(double x) {
  const long long bits = __nv_double_as_longlong(x);
  const unsigned long long m = (bits & 0xfffffffffffffll) | 0x10000000000000ll;
  const int first = (int)((bits >> 52) & 0x7ff) - 1075 - 2 + 64;  // in the table
  const int word = first / 64, shift = first % 64;
  unsigned long long w[3];
  for (int i = 0; i < 3; ++i) {
    const unsigned long long next = __raddle_two_over_pi[word + i + 1];
    w[i] = __raddle_two_over_pi[word + i] << shift | (shift == 0 ? 0 : next >> (64 - shift));
  }
  unsigned long long p[3];  // the most significant first
  p[2] = m * w[2];
  p[1] = m * w[1] + __nv_umul64hi(m, w[2]);
  p[0] = m * w[0] + __nv_umul64hi(m, w[1]) + (p[1] < m * w[1] ? 1 : 0);
  __raddle_angle angle;
  angle.quarter = (int)(p[0] >> 62);
  p[0] = p[0] << 2 | p[1] >> 62;
  p[1] = p[1] << 2 | p[2] >> 62;
  p[2] <<= 2;
  const bool above = p[0] >> 63;  // nearer to the next multiple
  if (above) {
    ++angle.quarter;
    p[2] = 0 - p[2];
    p[1] = ~p[1] + (p[2] == 0 ? 1 : 0);
    p[0] = ~p[0] + (p[2] == 0 && p[1] == 0 ? 1 : 0);
  }
  // The leading 53 bits, and what follows.
  int zeros = 0;
  if (p[0] == 0) p[0] = p[1], p[1] = p[2], p[2] = 0, zeros = 64;
  const int lead = __nv_clzll((long long)p[0]);
  if (lead > 0) {
    p[0] = p[0] << lead | p[1] >> (64 - lead);
    p[1] = p[1] << lead | p[2] >> (64 - lead);
  }
  const double unit = __nv_longlong_as_double((long long)(1023 - 64 - zeros - lead) << 52);
  const double high = (double)(p[0] & ~0x7ffull) * unit;
  const double low = ((double)(p[0] & 0x7ff) + (double)(p[1] >> 11) * 0x1p-53) * unit;
  const bool negative = (bits < 0) != above;
  __raddle_times_half_pi(negative ? -high : high, negative ? -low : low, &angle);
  if (bits < 0) angle.quarter = -angle.quarter;
  return angle;
}

__device__ inline __raddle_angle __raddle_reduce(double x) {
  // A product that is summed with its rounding error must not become part of another operation.
#pragma clang fp contract(off)
  if (!(__nv_fabs(x) < 0x1p20)) {
    if (!__nv_isfinited(x)) return {x - x, 0, 0};
    return __raddle_reduce_large(x);
  }
  // Cody and Waite: the first difference is exact; the second is summed with its rounding error.
  const double k = __nv_rint(x * 0x1.45f306dc9c883p-1);
  const double first = __nv_fma(-k, RADDLE_PI_2_HIGH, x);
  const double product = k * RADDLE_PI_2_MIDDLE;
  __raddle_angle angle;
  angle.rest = first - product;
  const double taken = angle.rest - first;
  const double error = (first - (angle.rest - taken)) - (product + taken);
  angle.low = error - __nv_fma(k, RADDLE_PI_2_MIDDLE, -product) - k * RADDLE_PI_2_LOW;
  angle.quarter = (int)k;
  return angle;
}

// Taylor's series up to r^17 and r^18, whose next terms are below 2^-62 of the result.
__device__ inline double __raddle_sine_series(double r, double low) {
  const double z = r * r;
  double p = 1.0 / 355687428096000;
  p = __nv_fma(p, z, -1.0 / 1307674368000);
  p = __nv_fma(p, z, 1.0 / 6227020800);
  p = __nv_fma(p, z, -1.0 / 39916800);
  p = __nv_fma(p, z, 1.0 / 362880);
  p = __nv_fma(p, z, -1.0 / 5040);
  p = __nv_fma(p, z, 1.0 / 120);
  p = __nv_fma(p, z, -1.0 / 6);
  return r + __nv_fma(r * z, p, low * __nv_fma(z, -0.5, 1));
}
__device__ inline double __raddle_cosine_series(double r, double low) {
  const double z = r * r;
  double p = -1.0 / 6402373705728000;
  p = __nv_fma(p, z, 1.0 / 20922789888000);
  p = __nv_fma(p, z, -1.0 / 87178291200);
  p = __nv_fma(p, z, 1.0 / 479001600);
  p = __nv_fma(p, z, -1.0 / 3628800);
  p = __nv_fma(p, z, 1.0 / 40320);
  p = __nv_fma(p, z, -1.0 / 720);
  p = __nv_fma(p, z, 1.0 / 24);
  const double half = 0.5 * z, head = 1 - half;
  return head + (((1 - head) - half) + (z * z * p - r * low));
}
__device__ inline double __raddle_sine(const __raddle_angle& a, int quarter) {
  const double s =
      quarter & 1 ? __raddle_cosine_series(a.rest, a.low) : __raddle_sine_series(a.rest, a.low);
  return quarter & 2 ? -s : s;
}

RADDLE_LIBDEVICE double __nv_sin(double x) {
  if (x == 0) return x;
  const __raddle_angle a = __raddle_reduce(x);
  return __raddle_sine(a, a.quarter);
}
RADDLE_LIBDEVICE double __nv_cos(double x) {
  const __raddle_angle a = __raddle_reduce(x);
  return __raddle_sine(a, a.quarter + 1);
}
RADDLE_LIBDEVICE void __nv_sincos(double x, double* s, double* c) {
  const __raddle_angle a = __raddle_reduce(x);
  *s = x == 0 ? x : __raddle_sine(a, a.quarter);
  *c = __raddle_sine(a, a.quarter + 1);
}
RADDLE_LIBDEVICE double __nv_tan(double x) {
  if (x == 0) return x;
  const __raddle_angle a = __raddle_reduce(x);
  const double s = __raddle_sine_series(a.rest, a.low), c = __raddle_cosine_series(a.rest, a.low);
  return a.quarter & 1 ? -c / s : s / c;
}

// sin(pi x) and cos(pi x): reduced without error. Zeros have the sign of x, and + (IEEE
// 754, 9.2.1).
__device__ inline __raddle_angle __raddle_reduce_turns(double x) {
  __raddle_angle a = {x - x, 0, 0};
  if (!__nv_isfinited(x)) return a;
  const double turn = x - 2 * __nv_rint(0.5 * x), k = __nv_rint(2 * turn);
  __raddle_times_half_pi(2 * (turn - 0.5 * k), 0, &a);
  a.quarter = (int)k;
  return a;
}
RADDLE_LIBDEVICE double __nv_sinpi(double x) {
  const __raddle_angle a = __raddle_reduce_turns(x);
  const double s = __raddle_sine(a, a.quarter);
  return s == 0 ? __nv_copysign(0.0, x) : s;
}
RADDLE_LIBDEVICE double __nv_cospi(double x) {
  const __raddle_angle a = __raddle_reduce_turns(x);
  return __raddle_sine(a, a.quarter + 1) + 0.0;
}
RADDLE_LIBDEVICE void __nv_sincospi(double x, double* s, double* c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}
RADDLE_LIBDEVICE float __nv_sinpif(float a) { return (float)__nv_sinpi(a); }
RADDLE_LIBDEVICE float __nv_cospif(float a) { return (float)__nv_cospi(a); }
RADDLE_LIBDEVICE void __nv_sincospif(float a, float* s, float* c) {
  *s = __nv_sinpif(a);
  *c = __nv_cospif(a);
}
