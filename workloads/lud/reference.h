#pragma once

#include <optional>

#include "common/square_matrix.h"

namespace raddle::workloads {

/// Returns L (below the diagonal; its ones are not stored) and U of the matrix, computed without
/// pivoting. nullopt if a pivot is zero.
inline std::optional<SquareMatrix> lud_reference(SquareMatrix matrix) {
  const std::size_t n = matrix.size;
  for (std::size_t step = 0; step < n; ++step) {
    const double pivot = matrix.at(step, step);
    if (!(pivot != 0)) return std::nullopt;
    for (std::size_t row = step + 1; row < n; ++row) {
      const double factor = matrix.at(row, step) / pivot;
      matrix.values[row * n + step] = factor;
      for (std::size_t column = step + 1; column < n; ++column) {
        matrix.values[row * n + column] -= factor * matrix.at(step, column);
      }
    }
  }
  return matrix;
}

}  // namespace raddle::workloads
