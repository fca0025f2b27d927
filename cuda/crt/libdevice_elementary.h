// Elementary functions of libdevice, taken from libclc (the OpenCL maths library of LLVM, linked as
// bitcode by `raddle cc`): each is declared here under the name that libclc gives it.
#pragma once

#include "libdevice_integer.h"

#define RADDLE_LIBCLC_UNARY(name, length)                                       \
  __device__ float __raddle_##name(float) __asm__("_Z" #length #name "f");      \
  __device__ double __raddle_##name(double) __asm__("_Z" #length #name "d");    \
  RADDLE_LIBDEVICE float __nv_##name##f(float a) { return __raddle_##name(a); } \
  RADDLE_LIBDEVICE double __nv_##name(double a) { return __raddle_##name(a); }

// Only in double precision: libdevice_refined.h has the single one.
#define RADDLE_LIBCLC_DOUBLE(name, length)                                   \
  __device__ double __raddle_##name(double) __asm__("_Z" #length #name "d"); \
  RADDLE_LIBDEVICE double __nv_##name(double a) { return __raddle_##name(a); }

#define RADDLE_LIBCLC_BINARY(name, length)                                                  \
  __device__ float __raddle_##name(float, float) __asm__("_Z" #length #name "ff");          \
  __device__ double __raddle_##name(double, double) __asm__("_Z" #length #name "dd");       \
  RADDLE_LIBDEVICE float __nv_##name##f(float a, float b) { return __raddle_##name(a, b); } \
  RADDLE_LIBDEVICE double __nv_##name(double a, double b) { return __raddle_##name(a, b); }

// The number is the length of the name, as the mangling has it.
RADDLE_LIBCLC_UNARY(sin, 3)
RADDLE_LIBCLC_UNARY(cos, 3)
RADDLE_LIBCLC_UNARY(tan, 3)
RADDLE_LIBCLC_UNARY(asin, 4)
RADDLE_LIBCLC_UNARY(acos, 4)
RADDLE_LIBCLC_UNARY(atan, 4)
RADDLE_LIBCLC_UNARY(sinh, 4)
RADDLE_LIBCLC_UNARY(cosh, 4)
RADDLE_LIBCLC_UNARY(tanh, 4)
RADDLE_LIBCLC_UNARY(asinh, 5)
RADDLE_LIBCLC_UNARY(acosh, 5)
RADDLE_LIBCLC_UNARY(atanh, 5)
RADDLE_LIBCLC_DOUBLE(exp, 3)
RADDLE_LIBCLC_DOUBLE(exp2, 4)
RADDLE_LIBCLC_UNARY(exp10, 5)
RADDLE_LIBCLC_UNARY(expm1, 5)
RADDLE_LIBCLC_UNARY(log, 3)
RADDLE_LIBCLC_UNARY(log2, 4)
RADDLE_LIBCLC_UNARY(log10, 5)
RADDLE_LIBCLC_UNARY(log1p, 5)
RADDLE_LIBCLC_UNARY(cbrt, 4)
RADDLE_LIBCLC_UNARY(erf, 3)
RADDLE_LIBCLC_DOUBLE(erfc, 4)
RADDLE_LIBCLC_UNARY(lgamma, 6)
RADDLE_LIBCLC_DOUBLE(sinpi, 5)
RADDLE_LIBCLC_DOUBLE(cospi, 5)
RADDLE_LIBCLC_BINARY(pow, 3)
RADDLE_LIBCLC_BINARY(atan2, 5)
RADDLE_LIBCLC_BINARY(hypot, 5)
RADDLE_LIBCLC_BINARY(fmod, 4)
RADDLE_LIBCLC_BINARY(remainder, 9)
RADDLE_LIBCLC_BINARY(nextafter, 9)
