// Functions of libdevice that need no table and no series: rounding to integral values, parts of a
// floating-point number, norms, and the fast approximations.
#pragma once

#include "libdevice_elementary.h"
#include "libdevice_rounding.h"

// Instructions of their own in PTX.
#define RADDLE_BUILTIN_UNARY(name)                                                  \
  RADDLE_LIBDEVICE float __nv_##name##f(float a) { return __builtin_##name##f(a); } \
  RADDLE_LIBDEVICE double __nv_##name(double a) { return __builtin_##name(a); }
#define RADDLE_BUILTIN_BINARY(name)                                                             \
  RADDLE_LIBDEVICE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); } \
  RADDLE_LIBDEVICE double __nv_##name(double a, double b) { return __builtin_##name(a, b); }
RADDLE_BUILTIN_UNARY(fabs)
RADDLE_BUILTIN_UNARY(sqrt)
RADDLE_BUILTIN_UNARY(floor)
RADDLE_BUILTIN_UNARY(ceil)
RADDLE_BUILTIN_UNARY(trunc)
RADDLE_BUILTIN_UNARY(rint)
RADDLE_BUILTIN_BINARY(fmin)
RADDLE_BUILTIN_BINARY(fmax)
RADDLE_BUILTIN_BINARY(copysign)
RADDLE_LIBDEVICE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
RADDLE_LIBDEVICE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

// 1/sqrt(a): rsqrt.approx of single precision is within 2 ulp, as CUDA states for rsqrtf.
RADDLE_UNARY(__nv_rsqrtf, "rsqrt.approx.f32", float, "f")
RADDLE_LIBDEVICE double __nv_rsqrt(double a) { return 1.0 / __nv_sqrt(a); }
RADDLE_LIBDEVICE float __nv_rcbrtf(float a) { return 1.0f / __nv_cbrtf(a); }
RADDLE_LIBDEVICE double __nv_rcbrt(double a) { return 1.0 / __nv_cbrt(a); }

// Halves round away from zero. trunc(a) is exact, and so is the difference.
RADDLE_LIBDEVICE float __nv_roundf(float a) {
  float t = __nv_truncf(a);
  return __nv_copysignf(__nv_fabsf(a - t) >= 0.5f ? t + __nv_copysignf(1.0f, a) : t, a);
}
RADDLE_LIBDEVICE double __nv_round(double a) {
  double t = __nv_trunc(a);
  return __nv_copysign(__nv_fabs(a - t) >= 0.5 ? t + __nv_copysign(1.0, a) : t, a);
}
RADDLE_LIBDEVICE long long __nv_llroundf(float a) { return __nv_float2ll_rz(__nv_roundf(a)); }
RADDLE_LIBDEVICE long long __nv_llround(double a) { return __nv_double2ll_rz(__nv_round(a)); }
RADDLE_LIBDEVICE long long __nv_llrintf(float a) { return __nv_float2ll_rn(a); }
RADDLE_LIBDEVICE long long __nv_llrint(double a) { return __nv_double2ll_rn(a); }

// Classes.
RADDLE_LIBDEVICE int __nv_isnanf(float a) { return a != a; }
RADDLE_LIBDEVICE int __nv_isnand(double a) { return a != a; }
RADDLE_LIBDEVICE int __nv_isinff(float a) { return __nv_fabsf(a) == __builtin_huge_valf(); }
RADDLE_LIBDEVICE int __nv_isinfd(double a) { return __nv_fabs(a) == __builtin_huge_val(); }
RADDLE_LIBDEVICE int __nv_finitef(float a) { return __nv_fabsf(a) < __builtin_huge_valf(); }
RADDLE_LIBDEVICE int __nv_isfinited(double a) { return __nv_fabs(a) < __builtin_huge_val(); }
RADDLE_LIBDEVICE int __nv_signbitf(float a) { return __nv_float_as_int(a) < 0; }
RADDLE_LIBDEVICE int __nv_signbitd(double a) { return __nv_double_as_longlong(a) < 0; }

RADDLE_LIBDEVICE float __nv_fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
RADDLE_LIBDEVICE double __nv_fdim(double a, double b) { return a <= b ? 0.0 : a - b; }

// a = mantissa * 2^exponent with the mantissa in [0.5, 1).
RADDLE_LIBDEVICE double __nv_frexp(double a, int* exponent) {
  *exponent = 0;
  if (a == 0 || !__nv_isfinited(a)) return a;
  int scaling = 0;
  if (__nv_fabs(a) < 0x1p-1022) {
    a *= 0x1p54;
    scaling = -54;
  }
  long long bits = __nv_double_as_longlong(a);
  *exponent = (int)((bits >> 52) & 0x7ff) - 1022 + scaling;
  return __nv_longlong_as_double((bits & ~(0x7ffLL << 52)) | (1022LL << 52));
}
RADDLE_LIBDEVICE float __nv_frexpf(float a, int* exponent) {
  return (float)__nv_frexp(a, exponent);
}
// a * 2^n with one rounding: the mantissa is multiplied once, by a power that is a number itself.
RADDLE_LIBDEVICE double __nv_ldexp(double a, int n) {
  if (a == 0 || !__nv_isfinited(a)) return a;
  int exponent;
  const double mantissa = __nv_frexp(a, &exponent);
  exponent += __nv_max(-5000, __nv_min(5000, n));
  if (exponent > 1024) return __nv_copysign(__builtin_huge_val(), a);
  if (exponent < -1074) return __nv_copysign(0.0, a);
  if (exponent < -1021) return mantissa * __nv_longlong_as_double(1LL << (exponent + 1074));
  return (2 * mantissa) * __nv_longlong_as_double((long long)(exponent + 1022) << 52);
}
RADDLE_LIBDEVICE float __nv_ldexpf(float a, int n) {
  // Every result of single precision is normal in double, so one rounding remains.
  n = __nv_max(-400, __nv_min(400, n));
  return (float)((double)a * __nv_longlong_as_double((long long)(n + 1023) << 52));
}
RADDLE_LIBDEVICE float __nv_scalbnf(float a, int n) { return __nv_ldexpf(a, n); }
RADDLE_LIBDEVICE double __nv_scalbn(double a, int n) { return __nv_ldexp(a, n); }

RADDLE_LIBDEVICE int __nv_ilogb(double a) {
  if (a == 0 || a != a) return (int)0x80000000;
  if (!__nv_isfinited(a)) return 0x7fffffff;
  int exponent;
  __nv_frexp(a, &exponent);
  return exponent - 1;
}
RADDLE_LIBDEVICE int __nv_ilogbf(float a) { return __nv_ilogb(a); }
RADDLE_LIBDEVICE double __nv_logb(double a) {
  if (a == 0) return -__builtin_huge_val();
  if (!__nv_isfinited(a)) return a * a;
  return __nv_ilogb(a);
}
RADDLE_LIBDEVICE float __nv_logbf(float a) { return (float)__nv_logb(a); }
RADDLE_LIBDEVICE double __nv_modf(double a, double* integral) {
  *integral = __nv_trunc(a);
  return __nv_copysign(__nv_isinfd(a) ? 0.0 : a - *integral, a);
}
RADDLE_LIBDEVICE float __nv_modff(float a, float* integral) {
  *integral = __nv_truncf(a);
  return __nv_copysignf(__nv_isinff(a) ? 0.0f : a - *integral, a);
}

// remainder() with the low bits of the quotient, which fmod by 8|b| leaves exact.
RADDLE_LIBDEVICE double __nv_remquo(double a, double b, int* quotient) {
  double r = __nv_remainder(a, b);
  double q = __nv_rint((__nv_fmod(a, 8 * b) - r) / b);
  *quotient = q == q && q < 16 && q > -16 ? (int)q % 8 : 0;
  return r;
}
RADDLE_LIBDEVICE float __nv_remquof(float a, float b, int* quotient) {
  return (float)__nv_remquo(a, b, quotient);
}

RADDLE_LIBDEVICE void __nv_sincosf(float a, float* s, float* c) {
  *s = __nv_sinf(a);
  *c = __nv_cosf(a);
}
RADDLE_LIBDEVICE double __nv_powi(double a, int n) { return __nv_pow(a, (double)n); }
RADDLE_LIBDEVICE float __nv_powif(float a, int n) { return (float)__nv_pow((double)a, (double)n); }

// The next number towards b: numbers of one sign are in the order of their bits.
RADDLE_LIBDEVICE double __nv_nextafter(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return __nv_copysign(0x1p-1074, b);
  const long long bits = __nv_double_as_longlong(a);
  return __nv_longlong_as_double(bits + ((a < b) == (a > 0) ? 1 : -1));
}
RADDLE_LIBDEVICE float __nv_nextafterf(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return __nv_copysignf(0x1p-149f, b);
  const int bits = __nv_float_as_int(a);
  return __nv_int_as_float(bits + ((a < b) == (a > 0) ? 1 : -1));
}

// Fast approximations (CUDA C++ Programming Guide, "Intrinsic Functions").
RADDLE_UNARY(__nv_fast_sinf, "sin.approx.f32", float, "f")
RADDLE_UNARY(__nv_fast_cosf, "cos.approx.f32", float, "f")
RADDLE_UNARY(__nv_fast_log2f, "lg2.approx.f32", float, "f")
RADDLE_UNARY(__raddle_fast_exp2f, "ex2.approx.f32", float, "f")
RADDLE_BINARY(__nv_fast_fdividef, "div.approx.f32", float, "f")
RADDLE_LIBDEVICE float __nv_fast_tanf(float a) {
  return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a));
}
RADDLE_LIBDEVICE void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nv_fast_sinf(a);
  *c = __nv_fast_cosf(a);
}
RADDLE_LIBDEVICE float __nv_fast_expf(float a) { return __raddle_fast_exp2f(a * 0x1.715476p+0f); }
RADDLE_LIBDEVICE float __nv_fast_exp10f(float a) { return __raddle_fast_exp2f(a * 0x1.a934fp+1f); }
RADDLE_LIBDEVICE float __nv_fast_logf(float a) { return __nv_fast_log2f(a) * 0x1.62e43p-1f; }
RADDLE_LIBDEVICE float __nv_fast_log10f(float a) { return __nv_fast_log2f(a) * 0x1.344136p-2f; }
RADDLE_LIBDEVICE float __nv_fast_powf(float a, float b) {
  return __raddle_fast_exp2f(b * __nv_fast_log2f(a));
}
