// Half precision (CUDA Math API, "Half Precision Intrinsics"): __half and __half2 on both sides.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "crt/narrow_conversion.h"
#include "vector_types.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#include "crt/library_begin.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __half;
__host__ __device__ inline __half __double2half(double value);
__host__ __device__ inline float __half2float(__half value);

struct __half {
  unsigned short __x;

  __half() = default;
  __host__ __device__ __half(const __half_raw& raw) : __x(raw.x) {}
  // Any number, rounded to nearest even.
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  __host__ __device__ __half(T value) : __half(__double2half((double)value)) {}
  __host__ __device__ operator float() const { return __half2float(*this); }
  __host__ __device__ operator __half_raw() const { return {__x}; }
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __host__ __device__ __half2(const __half2_raw& raw)
      : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;

__host__ __device__ inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
__host__ __device__ inline unsigned short __half_as_ushort(__half value) { return value.__x; }
__host__ __device__ inline __half __short_as_half(short bits) {
  return __ushort_as_half((unsigned short)bits);
}
__host__ __device__ inline short __half_as_short(__half value) { return (short)value.__x; }

#define RADDLE_NARROW __half
#define RADDLE_NARROW2 __half2
#define RADDLE_FORMAT "f16"
#define RADDLE_EXPONENT_BITS 5
#define RADDLE_FRACTION_BITS 10
#define RADDLE_BITS_AS __ushort_as_half
#define RADDLE_NAME(prefix, suffix) prefix##half##suffix
#define RADDLE_NAME2(prefix, suffix) prefix##half2##suffix
#define RADDLE_TWICE __half2half2
#define RADDLE_CONVERT_ARCH 530
#define RADDLE_ADD_ARCH 530
#define RADDLE_FMA_ARCH 530
#define RADDLE_ATOMIC_ARCH 700
#include "crt/narrow_float_functions.h"

#include "crt/library_end.h"
