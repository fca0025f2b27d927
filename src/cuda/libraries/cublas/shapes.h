// How programs pass matrices and batches of them to cuBLAS.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/libraries/cublas/handle.h"
#include "cuda/libraries/cublas/parameters.h"

namespace raddle::cublas {

/// Maximum of blocks in one dimension of a grid, on every GPU.
inline constexpr std::int64_t kGridMost = 65535;

/// For real elements: each is its own conjugate.
inline bool is_transposed(cublasOperation_t op) {
  blas_require(op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C);
  return op != CUBLAS_OP_N;
}

/// Kernels count rows and columns in 32 bits.
inline int narrow(std::int64_t size) {
  if (size > std::numeric_limits<int>::max()) not_here("a size of 2^31 or more");
  return static_cast<int>(size);
}

template <class T>
Batch<T> one(T* first, std::int64_t leading) {
  return {first, 0, 0, leading, 0};
}
template <class T>
Batch<T> strided(T* first, std::int64_t leading, std::int64_t stride) {
  return {first, stride, 0, leading, 0};
}
/// An array in device memory with an address for each member.
template <class T>
Batch<T> listed(T* const* addresses, std::int64_t leading) {
  return {reinterpret_cast<T*>(const_cast<std::remove_const_t<T>**>(
              const_cast<std::remove_const_t<T>* const*>(addresses))),
          0, 1, leading, 0};
}

}  // namespace raddle::cublas
