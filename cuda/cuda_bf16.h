// bfloat16 (CUDA Math API, "Bfloat16 Precision Intrinsics"): __nv_bfloat16 and __nv_bfloat162 on
// both sides.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "crt/narrow_conversion.h"
#include "vector_types.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#include "crt/library_begin.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
__host__ __device__ inline __nv_bfloat16 __double2bfloat16(double value);
__host__ __device__ inline float __bfloat162float(__nv_bfloat16 value);

struct __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  // Any number, rounded to nearest even.
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  __host__ __device__ __nv_bfloat16(T value) : __nv_bfloat16(__double2bfloat16((double)value)) {}
  __host__ __device__ operator float() const { return __bfloat162float(*this); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high)
      : x(low), y(high) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__host__ __device__ inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16_raw{bits};
}
__host__ __device__ inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
  return value.__x;
}
__host__ __device__ inline __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
__host__ __device__ inline short __bfloat16_as_short(__nv_bfloat16 value) {
  return (short)value.__x;
}

#define RADDLE_NARROW __nv_bfloat16
#define RADDLE_NARROW2 __nv_bfloat162
#define RADDLE_FORMAT "bf16"
#define RADDLE_EXPONENT_BITS 8
#define RADDLE_FRACTION_BITS 7
#define RADDLE_BITS_AS __ushort_as_bfloat16
#define RADDLE_NAME(prefix, suffix) prefix##bfloat16##suffix
#define RADDLE_NAME2(prefix, suffix) prefix##bfloat162##suffix
#define RADDLE_TWICE __bfloat162bfloat162
#define RADDLE_CONVERT_ARCH 900
#define RADDLE_ADD_ARCH 900
#define RADDLE_FMA_ARCH 800
#define RADDLE_ATOMIC_ARCH 900
#include "crt/narrow_float_functions.h"

#include "crt/library_end.h"
