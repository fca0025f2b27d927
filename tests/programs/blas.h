// Reference BLAS in double precision on the host, by its documentation; and functions that the
// programs of cuBLAS share.
#pragma once

#include <cublas_v2.h>

#include <random>

#include "check.h"

#define BLAS(call)                                                                                 \
  do {                                                                                             \
    const cublasStatus_t blas_status = (call);                                                     \
    if (blas_status != CUBLAS_STATUS_SUCCESS) {                                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(blas_status)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

inline std::mt19937& generator() {
  static std::mt19937 one(1);
  return one;
}

template <typename T>
std::vector<T> random_values(std::size_t count) {
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> all(count);
  for (T& one : all) one = static_cast<T>(values(generator()));
  return all;
}

// Rounding of a sum of `terms` products of numbers up to 1, with room.
template <typename T>
double tolerance(double terms) {
  return 4 * (terms + 2) * (sizeof(T) == 4 ? 6e-8 : 1.2e-16);
}

// Element (row, column) of op(M).
template <typename T>
T at(const std::vector<T>& matrix, int leading, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? matrix[row + static_cast<std::size_t>(column) * leading]
                           : matrix[column + static_cast<std::size_t>(row) * leading];
}

// The position of element i of a vector of n.
inline std::size_t place(int i, int n, int step) {
  return static_cast<std::size_t>(step > 0 ? i * step : (i - n + 1) * step);
}
inline std::size_t room(int n, int step) {
  return static_cast<std::size_t>(1 + (n - 1) * std::abs(step));
}

// cuBLAS's functions by type.
#define BY_TYPE(name, function)                         \
  template <typename... Arguments>                      \
  cublasStatus_t name(float, Arguments... arguments) {  \
    return cublasS##function(arguments...);             \
  }                                                     \
  template <typename... Arguments>                      \
  cublasStatus_t name(double, Arguments... arguments) { \
    return cublasD##function(arguments...);             \
  }
