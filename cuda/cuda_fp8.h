// Eight-bit floating point (CUDA Math API, "FP8 Intrinsics"): E4M3 (no infinity, largest 448) and
// E5M2 (largest 57344), for both sides.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "vector_functions.h"

#include "crt/library_begin.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// To nearest even. What is too large becomes the largest number (__NV_SATFINITE, infinity too) or
// infinity, in E4M3 a NaN.
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  const bool e4m3 = format == __NV_E4M3;
  const double magnitude = __builtin_fabs(x);
  const unsigned int sign = __builtin_signbit(x) ? 0x80 : 0;
  if (x != x) return 0x7f;
  // Halfway from the largest number to what would come next, which is even in E5M2 alone.
  if (e4m3 ? magnitude > 464 : magnitude >= 61440) {
    const unsigned int largest = e4m3 ? 0x7e : 0x7b, beyond = e4m3 ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(sign | (saturate == __NV_SATFINITE ? largest : beyond));
  }
  const raddle_narrow::rounding mode = raddle_narrow::rounding::nearest_even;
  if (!e4m3) return (__nv_fp8_storage_t)raddle_narrow::from_double(x, 5, 2, mode);
  // The exponent that is infinity elsewhere holds numbers here: one step down and up again.
  if (magnitude < 128) return (__nv_fp8_storage_t)raddle_narrow::from_double(x, 4, 3, mode);
  return (__nv_fp8_storage_t)(raddle_narrow::from_double(x / 2, 4, 3, mode) + 8);
}

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(x, saturate, format);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__half2float(__half(x)), saturate, format);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, format);
}

// Exact.
__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                              __nv_fp8_interpretation_t format) {
  if (format == __NV_E5M2) {
    // The upper half of a half.
    const bool nan = (x & 0x7f) > 0x7c;
    return {(unsigned short)(nan ? 0x7fff : x << 8)};
  }
  if ((x & 0x7f) == 0x7f) return {0x7fff};
  if ((x & 0x78) == 0x78) {
    const float half = raddle_narrow::to_float(x - 8u, 4, 3);
    return __half_raw(__float2half(2 * half));
  }
  return __half_raw(__float2half(raddle_narrow::to_float(x, 4, 3)));
}

// Pairs: the first in the low byte.
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, format) |
                                __nv_cvt_double_to_fp8(x.y, saturate, format) << 8);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_double2_to_fp8x2(make_double2(x.x, x.y), saturate, format);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, format) |
                                __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, format) << 8);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return (
      __nv_fp8x2_storage_t)(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, format) |
                            __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, format)
                                << 8);
}
__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), format).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), format).x};
}

// The types: made from any number with saturation, read as any.
#define RADDLE_FP8(name, pair, four, format)                                                    \
  struct name {                                                                                 \
    __nv_fp8_storage_t __x;                                                                     \
    name() = default;                                                                           \
    __host__ __device__ explicit name(double value)                                             \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, format)) {}                         \
    __host__ __device__ explicit name(float value) : name((double)value) {}                     \
    __host__ __device__ explicit name(int value) : name((double)value) {}                       \
    __host__ __device__ explicit name(__half value) : name((double)__half2float(value)) {}      \
    __host__ __device__ explicit name(__nv_bfloat16 value)                                      \
        : name((double)__bfloat162float(value)) {}                                              \
    __host__ __device__ explicit operator __half() const {                                      \
      return __half(__nv_cvt_fp8_to_halfraw(__x, format));                                      \
    }                                                                                           \
    __host__ __device__ explicit operator float() const { return __half2float(__half(*this)); } \
    __host__ __device__ explicit operator double() const { return (float)*this; }               \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }            \
  };                                                                                            \
  struct __align__(2) pair {                                                                    \
    __nv_fp8x2_storage_t __x;                                                                   \
    pair() = default;                                                                           \
    __host__ __device__ explicit pair(float2 value)                                             \
        : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, format)) {}                       \
    __host__ __device__ explicit pair(__half2 value)                                            \
        : pair(make_float2(__half2float(value.x), __half2float(value.y))) {}                    \
    __host__ __device__ explicit operator __half2() const {                                     \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                  \
    }                                                                                           \
    __host__ __device__ explicit operator float2() const {                                      \
      const __half2 both = (__half2) * this;                                                    \
      return make_float2(__half2float(both.x), __half2float(both.y));                           \
    }                                                                                           \
  };                                                                                            \
  struct __align__(4) four {                                                                    \
    __nv_fp8x4_storage_t __x;                                                                   \
    four() = default;                                                                           \
    __host__ __device__ explicit four(float4 value)                                             \
        : __x(pair(make_float2(value.x, value.y)).__x |                                         \
              (unsigned int)pair(make_float2(value.z, value.w)).__x << 16) {}                   \
    __host__ __device__ explicit operator float4() const {                                      \
      pair low, high;                                                                           \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                      \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                             \
      const float2 a = (float2)low, b = (float2)high;                                           \
      return make_float4(a.x, a.y, b.x, b.y);                                                   \
    }                                                                                           \
  };
RADDLE_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
RADDLE_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef RADDLE_FP8

#include "crt/library_end.h"
