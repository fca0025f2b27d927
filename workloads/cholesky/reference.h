#pragma once

#include <cmath>
#include <optional>

#include "common/square_matrix.h"

namespace raddle::workloads {

/// L with L L^T = matrix, row by row; nullopt if the matrix is not positive definite.
inline std::optional<SquareMatrix> cholesky_reference(const SquareMatrix& matrix) {
  const std::size_t n = matrix.size;
  SquareMatrix factor{n, std::vector<double>(n * n)};
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double value = matrix.at(row, column);
      for (std::size_t k = 0; k < column; ++k) value -= factor.at(row, k) * factor.at(column, k);
      if (row == column && !(value > 0)) return std::nullopt;
      factor.values[row * n + column] =
          row == column ? std::sqrt(value) : value / factor.at(column, column);
    }
  }
  return factor;
}

}  // namespace raddle::workloads
