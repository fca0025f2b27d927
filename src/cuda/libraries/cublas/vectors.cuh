// Operations on vectors, element by element.
#pragma once

#include "device.cuh"

namespace raddle::cublas {

template <class T>
__device__ void axpy(const Vectors<T>& of) {
  const T alpha = value(of.alpha);
  if (alpha == 0) return;
  for (long long i = first_index(); i < of.n; i += index_step()) {
    of.y[i * of.step_y] += alpha * of.x[i * of.step_x];
  }
}

/// With an alpha of 0 the old value still counts: a NaN stays (cuBLAS and reference BLAS multiply).
template <class T>
__device__ void scal(const Vectors<T>& of) {
  const T alpha = value(of.alpha);
  for (long long i = first_index(); i < of.n; i += index_step()) of.x[i * of.step_x] *= alpha;
}

template <class T>
__device__ void copy(const Vectors<T>& of) {
  for (long long i = first_index(); i < of.n; i += index_step()) {
    of.y[i * of.step_y] = of.x[i * of.step_x];
  }
}

template <class T>
__device__ void swap(const Vectors<T>& of) {
  for (long long i = first_index(); i < of.n; i += index_step()) {
    const T kept = of.y[i * of.step_y];
    of.y[i * of.step_y] = of.x[i * of.step_x];
    of.x[i * of.step_x] = kept;
  }
}

}  // namespace raddle::cublas
