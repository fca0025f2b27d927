// Functions that the kernels share. The kernels are compiled for the oldest GPU with a description
// (sm_20), for which the CUDA headers have no warp functions; clang's own names exist.
#pragma once

#include "parameters.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device, always_inline))
#define __shared__ __attribute__((shared))

namespace raddle::cublas {

__device__ inline int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ inline int blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
/// The second dimension of a grid runs through a batch.
__device__ inline int first_member() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__device__ inline int member_step() { return __nvvm_read_ptx_sreg_nctaid_y(); }
/// Waits until all threads of the block are here.
__device__ inline void barrier() { __syncthreads(); }

__device__ inline float root(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ inline double root(double x) { return __nvvm_sqrt_rn_d(x); }

/// The value of a scalar. The cast to global memory keeps the structure itself in registers: no
/// load goes through the structure's address.
template <class T>
__device__ T value(const Scalar<T>& scalar) {
  using Global = const __attribute__((address_space(1))) T;
  return scalar.at != nullptr ? *(Global*)scalar.at : scalar.value;
}

template <class T>
__device__ T* member(const Batch<T>& batch, int number) {
  if (batch.listed != 0) return reinterpret_cast<T* const*>(batch.first)[number] + batch.offset;
  return batch.first + number * batch.stride + batch.offset;
}

/// A number in the type of the computation.
__device__ inline float widened(float x) { return x; }
__device__ inline double widened(double x) { return x; }
__device__ inline float widened(Half x) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(static_cast<unsigned short>(x)));
  return wide;
}
__device__ inline float widened(Bfloat16 x) {
  return __builtin_bit_cast(float, static_cast<unsigned>(x) << 16);
}

/// Stores the number, rounded to the nearest value (ties to even) of the type.
__device__ inline void store(float* at, float x) { *at = x; }
__device__ inline void store(double* at, double x) { *at = x; }
__device__ inline void store(Half* at, float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  *at = Half{bits};
}
__device__ inline void store(Bfloat16* at, float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const bool is_nan = x != x;
  *at = Bfloat16{static_cast<unsigned short>(is_nan ? 0x7fff : rounded)};
}

/// *at = value + beta * *at. With a beta of 0 the old value is ignored, even a NaN.
template <class T, class Wide>
__device__ void store_scaled(T* at, Wide value, Wide beta) {
  store(at, beta == 0 ? value : value + beta * widened(*at));
}

__device__ inline long long first_index() {
  return static_cast<long long>(block()) * kThreads + thread();
}
__device__ inline long long index_step() { return static_cast<long long>(blocks()) * kThreads; }

}  // namespace raddle::cublas
