// Host side of the maths functions that CUDA has and the C library has not, so that functions for
// both sides compile. They are computed in extended precision and rounded once.
#pragma once

#include <math.h>

// sin(pi x) for quarter 0 and cos(pi x) for quarter 1: the argument is reduced without error.
__host__ inline long double __raddle_turn(long double x, int quarter) {
  if (!(__builtin_fabsl(x) < __builtin_huge_vall())) return __builtin_nanl("");
  const long double r = __builtin_fmodl(x, 2), k = __builtin_rintl(2 * r);
  const long double rest = M_PIl * (r - k / 2);
  switch (((int)k + quarter) & 3) {
    case 0:
      return __builtin_sinl(rest);
    case 1:
      return __builtin_cosl(rest);
    case 2:
      return -__builtin_sinl(rest);
    default:
      return -__builtin_cosl(rest);
  }
}
__host__ inline long double __raddle_sine_of_turn(long double x) {
  const long double s = __raddle_turn(x, 0);
  return s == 0 ? __builtin_copysignl(0, x) : s;
}

// exp(x^2) erfc(x): for large x the continued fraction of DLMF 7.9.3.
__host__ inline long double __raddle_erfcx(long double x) {
  if (x < 10) return __builtin_expl(x * x) * __builtin_erfcl(x);
  long double tail = x;
  for (int k = 60; k > 0; --k) tail = x + 0.5L * k / tail;
  return M_2_SQRTPIl / 2 / tail;
}

// Newton's method on erf(y) = x near 0, and on log(erfc(y)) = log(q) elsewhere.
__host__ inline long double __raddle_erfinv_small(long double x) {
  long double y = x / M_2_SQRTPIl;
  for (int step = 0; step < 6; ++step) {
    y -= (__builtin_erfl(y) - x) / (M_2_SQRTPIl * __builtin_expl(-y * y));
  }
  return x == 0 ? x : y;
}
__host__ inline long double __raddle_erfcinv(long double q) {
  if (!(q >= 0 && q <= 2)) return __builtin_nanl("");
  if (q == 0 || q == 2) return q == 0 ? __builtin_huge_vall() : -__builtin_huge_vall();
  if (q > 1.5L) return -__raddle_erfcinv(2 - q);
  if (q >= 0.5L) return __raddle_erfinv_small(1 - q);
  const long double log_q = __builtin_logl(q);
  long double y = __builtin_sqrtl(-log_q);
  for (int step = 0; step < 8; ++step) {
    const long double scaled = __raddle_erfcx(y);
    y += (__builtin_logl(scaled) - y * y - log_q) * scaled / M_2_SQRTPIl;
  }
  return y;
}
__host__ inline long double __raddle_erfinv(long double x) {
  if (!(__builtin_fabsl(x) <= 1)) return __builtin_nanl("");
  if (__builtin_fabsl(x) < 0.5L) return __raddle_erfinv_small(x);
  return __builtin_copysignl(__raddle_erfcinv(1 - __builtin_fabsl(x)), x);
}

// A norm is infinite with any of its components, also beside a NaN.
template <class T>
__host__ inline long double __raddle_host_norm(int n, const T* v) {
  long double sum = 0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) {
    sum += (long double)v[i] * v[i];
    infinite |= __builtin_isinf(v[i]) != 0;
  }
  return infinite ? __builtin_huge_vall() : __builtin_sqrtl(sum);
}

#define RADDLE_HOST_UNARY(name, expression)    \
  __host__ inline double name(double value) {  \
    const long double x = value;               \
    return (double)(expression);               \
  }                                            \
  __host__ inline float name##f(float value) { \
    const long double x = value;               \
    return (float)(expression);                \
  }
RADDLE_HOST_UNARY(rsqrt, 1 / __builtin_sqrtl(x))
RADDLE_HOST_UNARY(rcbrt, 1 / __builtin_cbrtl(x))
RADDLE_HOST_UNARY(sinpi, __raddle_sine_of_turn(x))
RADDLE_HOST_UNARY(cospi, __raddle_turn(x, 1) + 0)
RADDLE_HOST_UNARY(erfcx, __raddle_erfcx(x))
RADDLE_HOST_UNARY(erfinv, __raddle_erfinv(x))
RADDLE_HOST_UNARY(erfcinv, __raddle_erfcinv(x))
RADDLE_HOST_UNARY(normcdf, 0.5L * __builtin_erfcl(-x * M_SQRT1_2l))
RADDLE_HOST_UNARY(normcdfinv, -M_SQRT2l* __raddle_erfcinv(2 * x) + 0)
#undef RADDLE_HOST_UNARY

__host__ inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__host__ inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}

#define RADDLE_HOST_NORM(name, n, parameters, ...)               \
  __host__ inline double name(RADDLE_##parameters(double)) {     \
    const double v[n] = {__VA_ARGS__};                           \
    return (double)__raddle_host_norm(n, v);                     \
  }                                                              \
  __host__ inline double r##name(RADDLE_##parameters(double)) {  \
    const double v[n] = {__VA_ARGS__};                           \
    return (double)(1 / __raddle_host_norm(n, v));               \
  }                                                              \
  __host__ inline float name##f(RADDLE_##parameters(float)) {    \
    const float v[n] = {__VA_ARGS__};                            \
    return (float)__raddle_host_norm(n, v);                      \
  }                                                              \
  __host__ inline float r##name##f(RADDLE_##parameters(float)) { \
    const float v[n] = {__VA_ARGS__};                            \
    return (float)(1 / __raddle_host_norm(n, v));                \
  }
#define RADDLE_THREE(type) type a, type b, type c
#define RADDLE_FOUR(type) type a, type b, type c, type d
RADDLE_HOST_NORM(norm3d, 3, THREE, a, b, c)
RADDLE_HOST_NORM(norm4d, 4, FOUR, a, b, c, d)
#undef RADDLE_FOUR
#undef RADDLE_THREE
#undef RADDLE_HOST_NORM
__host__ inline double rhypot(double x, double y) {
  const double v[2] = {x, y};
  return (double)(1 / __raddle_host_norm(2, v));
}
__host__ inline float rhypotf(float x, float y) {
  const float v[2] = {x, y};
  return (float)(1 / __raddle_host_norm(2, v));
}
__host__ inline double norm(int n, const double* v) { return (double)__raddle_host_norm(n, v); }
__host__ inline float normf(int n, const float* v) { return (float)__raddle_host_norm(n, v); }
__host__ inline double rnorm(int n, const double* v) {
  return (double)(1 / __raddle_host_norm(n, v));
}
__host__ inline float rnormf(int n, const float* v) {
  return (float)(1 / __raddle_host_norm(n, v));
}

__host__ inline double fdivide(double x, double y) { return x / y; }
__host__ inline float fdividef(float x, float y) { return x / y; }

// Overloads for float of functions that C names with an f.
#define RADDLE_FLOAT_OVERLOAD(name) \
  __host__ __device__ inline float name(float x) { return name##f(x); }
RADDLE_FLOAT_OVERLOAD(rsqrt)
RADDLE_FLOAT_OVERLOAD(rcbrt)
RADDLE_FLOAT_OVERLOAD(sinpi)
RADDLE_FLOAT_OVERLOAD(cospi)
RADDLE_FLOAT_OVERLOAD(normcdf)
RADDLE_FLOAT_OVERLOAD(normcdfinv)
RADDLE_FLOAT_OVERLOAD(erfinv)
RADDLE_FLOAT_OVERLOAD(erfcinv)
RADDLE_FLOAT_OVERLOAD(erfcx)
#undef RADDLE_FLOAT_OVERLOAD
__host__ __device__ inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
