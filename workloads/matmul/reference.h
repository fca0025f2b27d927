#pragma once

#include <cstddef>
#include <vector>

namespace raddle::workloads {

/// The product of two size x size matrices, row by row, summed in double precision.
inline std::vector<float> multiply_reference(const std::vector<float>& a,
                                             const std::vector<float>& b, std::size_t size) {
  std::vector<float> product(size * size);
  std::vector<double> row_sums(size);
  for (std::size_t row = 0; row < size; ++row) {
    row_sums.assign(size, 0.0);
    for (std::size_t k = 0; k < size; ++k) {
      const double factor = a[row * size + k];
      for (std::size_t column = 0; column < size; ++column) {
        row_sums[column] += factor * b[k * size + column];
      }
    }
    for (std::size_t column = 0; column < size; ++column) {
      product[row * size + column] = static_cast<float>(row_sums[column]);
    }
  }
  return product;
}

}  // namespace raddle::workloads
