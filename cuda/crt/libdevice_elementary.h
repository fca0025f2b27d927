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

// Only in single precision: libdevice_trigonometric.h has the double one.
#define RADDLE_LIBCLC_FLOAT(name, length)                                  \
  __device__ float __raddle_##name(float) __asm__("_Z" #length #name "f"); \
  RADDLE_LIBDEVICE float __nv_##name##f(float a) { return __raddle_##name(a); }

// Odd functions that libclc takes from -0 to +0.
#define RADDLE_LIBCLC_ODD(name, length)                                         \
  __device__ float __raddle_##name(float) __asm__("_Z" #length #name "f");      \
  __device__ double __raddle_##name(double) __asm__("_Z" #length #name "d");    \
  RADDLE_LIBDEVICE float __nv_##name##f(float a) { return __raddle_##name(a); } \
  RADDLE_LIBDEVICE double __nv_##name(double a) { return a == 0 ? a : __raddle_##name(a); }

#define RADDLE_LIBCLC_BINARY(name, length)                                                  \
  __device__ float __raddle_##name(float, float) __asm__("_Z" #length #name "ff");          \
  __device__ double __raddle_##name(double, double) __asm__("_Z" #length #name "dd");       \
  RADDLE_LIBDEVICE float __nv_##name##f(float a, float b) { return __raddle_##name(a, b); } \
  RADDLE_LIBDEVICE double __nv_##name(double a, double b) { return __raddle_##name(a, b); }

// libclc looks numbers up in a table also for arguments that are none, outside the table.
#define RADDLE_LIBCLC_FINITE(name, length, not_finite)                       \
  RADDLE_LIBCLC_FLOAT(name, length)                                          \
  __device__ double __raddle_##name(double) __asm__("_Z" #length #name "d"); \
  RADDLE_LIBDEVICE double __nv_##name(double a) {                            \
    const bool finite = __builtin_fabs(a) < __builtin_huge_val();            \
    const double value = __raddle_##name(finite ? a : 0.0);                  \
    return finite ? value : not_finite;                                      \
  }

// The number is the length of the name, as the mangling has it.
RADDLE_LIBCLC_FLOAT(sin, 3)
RADDLE_LIBCLC_FLOAT(cos, 3)
RADDLE_LIBCLC_FLOAT(tan, 3)
RADDLE_LIBCLC_UNARY(asin, 4)
RADDLE_LIBCLC_UNARY(acos, 4)
RADDLE_LIBCLC_ODD(atan, 4)
RADDLE_LIBCLC_FINITE(sinh, 4, a)
RADDLE_LIBCLC_FINITE(cosh, 4, __builtin_fabs(a))
RADDLE_LIBCLC_UNARY(tanh, 4)
RADDLE_LIBCLC_UNARY(asinh, 5)
RADDLE_LIBCLC_UNARY(acosh, 5)
RADDLE_LIBCLC_UNARY(atanh, 5)
RADDLE_LIBCLC_DOUBLE(exp, 3)
RADDLE_LIBCLC_DOUBLE(exp2, 4)
RADDLE_LIBCLC_UNARY(exp10, 5)
RADDLE_LIBCLC_ODD(expm1, 5)
RADDLE_LIBCLC_UNARY(log, 3)
RADDLE_LIBCLC_UNARY(log2, 4)
RADDLE_LIBCLC_UNARY(log10, 5)
RADDLE_LIBCLC_UNARY(log1p, 5)
RADDLE_LIBCLC_UNARY(cbrt, 4)
RADDLE_LIBCLC_ODD(erf, 3)
RADDLE_LIBCLC_DOUBLE(erfc, 4)
RADDLE_LIBCLC_DOUBLE(lgamma, 6)
RADDLE_LIBCLC_BINARY(pow, 3)
RADDLE_LIBCLC_BINARY(atan2, 5)
RADDLE_LIBCLC_BINARY(hypot, 5)

// Of numbers in single precision these are such numbers too; libclc's own forget subnormal ones.
#define RADDLE_LIBCLC_EXACT(name, length)                                                   \
  __device__ double __raddle_##name(double, double) __asm__("_Z" #length #name "dd");       \
  RADDLE_LIBDEVICE double __nv_##name(double a, double b) { return __raddle_##name(a, b); } \
  RADDLE_LIBDEVICE float __nv_##name##f(float a, float b) { return (float)__raddle_##name(a, b); }
RADDLE_LIBCLC_EXACT(fmod, 4)
RADDLE_LIBCLC_EXACT(remainder, 9)
