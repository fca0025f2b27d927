#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/options.h"

namespace raddle::workloads {

/// `size` rows of `size` values, row by row.
struct SquareMatrix {
  std::size_t size = 0;
  std::vector<double> values;

  double at(std::size_t row, std::size_t column) const { return values[row * size + column]; }
};

/// Options of workloads that factor a dense matrix.
struct MatrixInput {
  enum class Kind { dominant, symmetric };

  std::string input = "random";
  std::int64_t size = 240;
  std::int64_t seed = 1;
  std::string precision = "single";

  void add_to(Options& options);
  bool single() const { return precision == "single"; }
  /// The relative error of a rounding: half a unit in the last place.
  double rounding() const { return single() ? 0x1p-24 : 0x1p-53; }

  /// Returns the first `size` rows and columns of the file, or random values from -1 to 1 with
  /// `size` on the diagonal. So no pivot is near zero, and a symmetric matrix is positive definite.
  /// All values are numbers of the chosen precision. Throws InputError if the file's matrix must be
  /// symmetric and is not.
  SquareMatrix load(Kind kind) const;
};

/// Pads the matrix with the identity to `side` rows and columns; the matrix is in the upper left
/// corner. The factors are then those of the matrix, padded in the same way. side >= matrix.size.
template <class T>
std::vector<T> padded(const SquareMatrix& matrix, std::size_t side) {
  std::vector<T> values(side * side);
  for (std::size_t n = 0; n < side; ++n) values[n * side + n] = 1;
  for (std::size_t row = 0; row < matrix.size; ++row) {
    for (std::size_t column = 0; column < matrix.size; ++column) {
      values[row * side + column] = static_cast<T>(matrix.at(row, column));
    }
  }
  return values;
}

/// The upper left `size` x `size` values of a `side` x `side` matrix.
template <class T>
SquareMatrix corner(const std::vector<T>& values, std::size_t side, std::size_t size) {
  SquareMatrix matrix{size, std::vector<double>(size * size)};
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      matrix.values[row * size + column] = static_cast<double>(values[row * side + column]);
    }
  }
  return matrix;
}

/// Prints the verdict. Returns true when lower * upper is the matrix within rounding errors: each
/// element is off by at most 2 (n + 2) `rounding` times the same element of |lower| * |upper|. This
/// holds for any order of its terms. Sources: N. Higham, "Accuracy and Stability of Numerical
/// Algorithms", theorems 9.3 (LU) and 10.3 (Cholesky); the factor 2 is for this product's own
/// rounding. A NaN is never right.
bool check_factors(const char* what, const SquareMatrix& matrix, const SquareMatrix& lower,
                   const SquareMatrix& upper, double rounding);

}  // namespace raddle::workloads
