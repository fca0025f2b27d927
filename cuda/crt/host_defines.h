// Function and variable attributes of CUDA C++ (CUDA C++ Programming Guide, "C++ Language
// Extensions"). Under a host compiler they vanish, so that shared headers compile everywhere.
#pragma once

#define __HOST_DEFINES_H__  // libraries ask whether the attributes are defined

#define __CUDARTAPI
#define CUDARTAPI
#define CUDART_CB
#define CUDARTAPI_CDECL

#define __no_return__ __attribute__((noreturn))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __specialization_static static
#define __inline_hint__

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// What the host has of such a variable is its storage: crt/managed_variables.h.
#define __managed__ __attribute__((device, section("raddle_managed")))
// Not declared anywhere: what is not supported must not pass unnoticed.
#define __cluster_dims__(...) __attribute__((aligned(__cluster_dims__is_not_supported)))
// Clang takes no alignas after __shared__, where nvcc does, but takes the attribute everywhere.
template <unsigned long N>
constexpr unsigned long __raddle_alignment() {
  return N == 0 ? 1 : N;
}
template <class T>
constexpr unsigned long __raddle_alignment() {
  return alignof(T);
}
#define alignas(...) __attribute__((aligned(__raddle_alignment<__VA_ARGS__>())))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#if __clang_major__ < 15  // a keyword since then
#define __noinline__ __attribute__((noinline))
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#endif

#define __maxnreg__(n)
#define __block_size__(...)
#define __device_builtin__
#define __builtin_align__(n) __align__(n)
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
