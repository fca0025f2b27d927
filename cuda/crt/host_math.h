// Host side of the maths functions that CUDA has and the C library has not, so that functions for
// both sides compile.
#pragma once

#include <math.h>

#define RADDLE_HOST_UNARY(name, expression)                    \
  __host__ inline double name(double x) { return expression; } \
  __host__ inline float name##f(float value) {                 \
    double x = value;                                          \
    return (float)(expression);                                \
  }
RADDLE_HOST_UNARY(rsqrt, 1 / ::sqrt(x))
RADDLE_HOST_UNARY(rcbrt, 1 / ::cbrt(x))
// The argument is reduced first: fmod is exact, and a half turn changes the sign.
RADDLE_HOST_UNARY(sinpi, ::sin(M_PI* ::remainder(x, 2.0)))
RADDLE_HOST_UNARY(cospi, ::cos(M_PI* ::remainder(x, 2.0)))
RADDLE_HOST_UNARY(normcdf, 0.5 * ::erfc(-x * M_SQRT1_2))
#undef RADDLE_HOST_UNARY

__host__ inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__host__ inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
__host__ inline double rhypot(double x, double y) { return 1 / ::hypot(x, y); }
__host__ inline float rhypotf(float x, float y) { return (float)(1 / ::hypot(x, y)); }
__host__ inline double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
__host__ inline float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
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
#undef RADDLE_FLOAT_OVERLOAD
__host__ __device__ inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
__device__ inline float normcdfinv(float x) { return normcdfinvf(x); }
__device__ inline float erfinv(float x) { return erfinvf(x); }
__device__ inline float erfcinv(float x) { return erfcinvf(x); }
__device__ inline float erfcx(float x) { return erfcxf(x); }
