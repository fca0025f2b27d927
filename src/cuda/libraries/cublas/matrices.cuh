// Products of matrix and vector, outer products, sums of matrices.
#pragma once

#include "device.cuh"

namespace raddle::cublas {

/// y = alpha * A * x + beta * y: a block makes 32 rows; 8 threads share the columns of each row.
template <class T>
__device__ void gemv_rows(const Gemv<T>& of, const T* a, const T* x, T* y, T alpha, T beta) {
  constexpr int kShares = kThreads / kGemvRows;
  __shared__ T parts[kShares][kGemvRows];
  const int lane = thread() % kGemvRows;
  const int share = thread() / kGemvRows;
  for (int first = block() * kGemvRows; first < of.m; first += blocks() * kGemvRows) {
    const int row = first + lane;
    T sum = 0;
    if (alpha != 0 && row < of.m) {
      for (int j = share; j < of.n; j += kShares)
        sum += a[row + j * of.a.leading] * x[j * of.x.leading];
    }
    parts[share][lane] = sum;
    barrier();
    if (share == 0 && row < of.m) {
      for (int i = 1; i < kShares; ++i) sum += parts[i][lane];
      store_scaled(&y[row * of.y.leading], alpha * sum, beta);
    }
    barrier();
  }
}

/// y = alpha * A' * x + beta * y: a block makes 8 elements; 32 threads share each column.
template <class T>
__device__ void gemv_columns(const Gemv<T>& of, const T* a, const T* x, T* y, T alpha, T beta) {
  constexpr int kLanes = kThreads / kGemvColumns;
  __shared__ T parts[kGemvColumns][kLanes];
  const int lane = thread() % kLanes;
  const int mine = thread() / kLanes;
  for (int first = block() * kGemvColumns; first < of.n; first += blocks() * kGemvColumns) {
    const int column = first + mine;
    T sum = 0;
    if (alpha != 0 && column < of.n) {
      for (int i = lane; i < of.m; i += kLanes)
        sum += a[i + column * of.a.leading] * x[i * of.x.leading];
    }
    parts[mine][lane] = sum;
    barrier();
    for (int half = kLanes / 2; half != 0; half /= 2) {
      if (lane < half) parts[mine][lane] += parts[mine][lane + half];
      barrier();
    }
    if (lane == 0 && column < of.n)
      store_scaled(&y[column * of.y.leading], alpha * parts[mine][0], beta);
    barrier();
  }
}

template <class T>
__device__ void gemv(const Gemv<T>& of) {
  const T alpha = value(of.alpha), beta = value(of.beta);
  for (int batch = first_member(); batch < of.batches; batch += member_step()) {
    const T* const a = member(of.a, batch);
    const T* const x = member(of.x, batch);
    T* const y = member(of.y, batch);
    if (of.transpose != 0) {
      gemv_columns(of, a, x, y, alpha, beta);
    } else {
      gemv_rows(of, a, x, y, alpha, beta);
    }
  }
}

template <class T>
__device__ void ger(const Ger<T>& of) {
  const T alpha = value(of.alpha);
  if (alpha == 0) return;
  const long long elements = static_cast<long long>(of.m) * of.n;
  for (long long e = first_index(); e < elements; e += index_step()) {
    const long long row = e % of.m, column = e / of.m;
    of.a[row + column * of.leading] += alpha * of.x[row * of.step_x] * of.y[column * of.step_y];
  }
}

template <class T>
__device__ void geam(const Geam<T>& of) {
  const T alpha = value(of.alpha), beta = value(of.beta);
  const long long elements = static_cast<long long>(of.m) * of.n;
  for (long long e = first_index(); e < elements; e += index_step()) {
    const long long row = e % of.m, column = e / of.m;
    T sum = 0;
    if (alpha != 0) {
      sum = alpha *
            of.a[of.transpose_a != 0 ? column + row * of.leading_a : row + column * of.leading_a];
    }
    if (beta != 0) {
      sum += beta *
             of.b[of.transpose_b != 0 ? column + row * of.leading_b : row + column * of.leading_b];
    }
    of.c[row + column * of.leading_c] = sum;
  }
}

}  // namespace raddle::cublas
