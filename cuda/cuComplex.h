// Complex numbers of single and double precision as structures, on both sides.
#pragma once

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// The operations for one precision: `f` ends the names (f or nothing), `real` is the component.
#define RADDLE_COMPLEX(f, complex, real, fabs_, sqrt_)                                            \
  __host__ __device__ inline complex make_##complex(real re, real im) { return complex{re, im}; } \
  __host__ __device__ inline real cuCreal##f(complex z) { return z.x; }                           \
  __host__ __device__ inline real cuCimag##f(complex z) { return z.y; }                           \
  __host__ __device__ inline complex cuConj##f(complex z) { return complex{z.x, -z.y}; }          \
  __host__ __device__ inline complex cuCadd##f(complex a, complex b) {                            \
    return complex{a.x + b.x, a.y + b.y};                                                         \
  }                                                                                               \
  __host__ __device__ inline complex cuCsub##f(complex a, complex b) {                            \
    return complex{a.x - b.x, a.y - b.y};                                                         \
  }                                                                                               \
  __host__ __device__ inline complex cuCmul##f(complex a, complex b) {                            \
    return complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                 \
  }                                                                                               \
  /* Both are scaled by the divisor's size, so that only the quotient can overflow. */            \
  __host__ __device__ inline complex cuCdiv##f(complex a, complex b) {                            \
    const real scale = 1 / (fabs_(b.x) + fabs_(b.y));                                             \
    const complex p{a.x * scale, a.y * scale}, q{b.x * scale, b.y * scale};                       \
    const real norm = 1 / (q.x * q.x + q.y * q.y);                                                \
    return complex{(p.x * q.x + p.y * q.y) * norm, (p.y * q.x - p.x * q.y) * norm};               \
  }                                                                                               \
  __host__ __device__ inline real cuCabs##f(complex z) {                                          \
    const real re = fabs_(z.x), im = fabs_(z.y);                                                  \
    const real large = re > im ? re : im, small = re > im ? im : re;                              \
    if (large == 0 || large - large != 0) return large + small; /* zero, infinity or NaN */       \
    const real ratio = small / large;                                                             \
    return large * sqrt_(1 + ratio * ratio);                                                      \
  }                                                                                               \
  __host__ __device__ inline complex cuCfma##f(complex a, complex b, complex c) {                 \
    return cuCadd##f(cuCmul##f(a, b), c);                                                         \
  }
RADDLE_COMPLEX(f, cuFloatComplex, float, fabsf, sqrtf)
RADDLE_COMPLEX(, cuDoubleComplex, double, fabs, sqrt)
#undef RADDLE_COMPLEX

__host__ __device__ inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {(float)z.x, (float)z.y};
}
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return {z.x, z.y};
}
