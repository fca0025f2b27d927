// Norms of libdevice and their reciprocals. An infinite component makes the norm infinite, also
// beside a NaN. Single precision cannot overflow in double; double precision is scaled by a power
// of two, and the sum of squares and the root carry their rounding errors along.
#pragma once

#include "libdevice_basic.h"

struct __raddle_root {
  double root, low;  // of the scaled sum: their sum is the norm times scale
  double scale;      // a power of two; 0 stands for an infinite norm, a NaN for none
};

__device__ inline __raddle_root __raddle_norm(int n, const double* v) {
  // A product that is summed with its rounding error must not become part of another operation.
#pragma clang fp contract(off)
  double largest = 0, sum = 0, low = 0;
  bool undefined = false;
  for (int i = 0; i < n; ++i) {
    largest = __nv_fmax(largest, __nv_fabs(v[i]));
    undefined |= v[i] != v[i];
  }
  if (__nv_isinfd(largest)) return {1, 0, 0};
  if (undefined) return {1, 0, __builtin_nan("")};
  if (largest == 0) return {0, 0, 1};
  const int exponent = __nv_max(-1000, __nv_min(1000, __nv_ilogb(largest)));
  const double scale = __nv_longlong_as_double((long long)(1023 - exponent) << 52);
  for (int i = 0; i < n; ++i) {
    const double a = v[i] * scale, square = a * a, next = sum + square, taken = next - sum;
    low += (sum - (next - taken)) + (square - taken) + __nv_fma(a, a, -square);
    sum = next;
  }
  const double root = __nv_sqrt(sum);
  return {root, (__nv_fma(-root, root, sum) + low) / (2 * root), scale};
}
__device__ inline double __raddle_length(const __raddle_root& r) {
  return (r.root + r.low) / r.scale;
}
__device__ inline double __raddle_reciprocal_length(const __raddle_root& r) {
  const double y = 1 / r.root;
  if (r.root == 0) return y;
  return __nv_fma(y, __nv_fma(-y, r.root, 1) - y * r.low, y) * r.scale;
}

__device__ inline double __raddle_square_sum(int n, const float* v) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) {
    sum += (double)v[i] * v[i];
    infinite |= __nv_isinff(v[i]) != 0;
  }
  return infinite ? __builtin_huge_val() : sum;
}

RADDLE_LIBDEVICE double __nv_norm(int n, const double* v) {
  return __raddle_length(__raddle_norm(n, v));
}
RADDLE_LIBDEVICE double __nv_rnorm(int n, const double* v) {
  return __raddle_reciprocal_length(__raddle_norm(n, v));
}
RADDLE_LIBDEVICE float __nv_normf(int n, const float* v) {
  return (float)__nv_sqrt(__raddle_square_sum(n, v));
}
RADDLE_LIBDEVICE float __nv_rnormf(int n, const float* v) {
  return (float)(1 / __nv_sqrt(__raddle_square_sum(n, v)));
}

#define RADDLE_NORMS(name, suffix, n, parameters, ...)                         \
  RADDLE_LIBDEVICE double __nv_##name##suffix(RADDLE_##parameters(double)) {   \
    const double v[n] = {__VA_ARGS__};                                         \
    return __nv_norm(n, v);                                                    \
  }                                                                            \
  RADDLE_LIBDEVICE double __nv_r##name##suffix(RADDLE_##parameters(double)) {  \
    const double v[n] = {__VA_ARGS__};                                         \
    return __nv_rnorm(n, v);                                                   \
  }                                                                            \
  RADDLE_LIBDEVICE float __nv_##name##suffix##f(RADDLE_##parameters(float)) {  \
    const float v[n] = {__VA_ARGS__};                                          \
    return __nv_normf(n, v);                                                   \
  }                                                                            \
  RADDLE_LIBDEVICE float __nv_r##name##suffix##f(RADDLE_##parameters(float)) { \
    const float v[n] = {__VA_ARGS__};                                          \
    return __nv_rnormf(n, v);                                                  \
  }
#define RADDLE_THREE(type) type a, type b, type c
#define RADDLE_FOUR(type) type a, type b, type c, type d
RADDLE_NORMS(norm, 3d, 3, THREE, a, b, c)
RADDLE_NORMS(norm, 4d, 4, FOUR, a, b, c, d)
#undef RADDLE_NORMS
#undef RADDLE_THREE
#undef RADDLE_FOUR

RADDLE_LIBDEVICE double __nv_rhypot(double a, double b) {
  const double v[2] = {a, b};
  return __nv_rnorm(2, v);
}
RADDLE_LIBDEVICE float __nv_rhypotf(float a, float b) {
  const float v[2] = {a, b};
  return __nv_rnormf(2, v);
}
