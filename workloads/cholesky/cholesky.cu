// Cholesky decomposition by tiles in shared memory. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "cholesky/kernels.cuh"
#include "cholesky/reference.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/square_matrix.h"
#include "common/text_scanner.h"

using namespace raddle::workloads;

namespace {

template <class T>
SquareMatrix factor(const SquareMatrix& matrix) {
  const unsigned tiles = blocks_for(matrix.size, tile), n = tiles * tile;
  DeviceBuffer<T> values(padded<T>(matrix, n));
  for (unsigned step = 0; step < tiles; ++step) {
    const unsigned start = step * tile, below = tiles - step - 1;
    factor_diagonal<<<1, 2 * tile>>>(values.data(), n, start);
    if (below > 0) {
      solve_panel<<<blocks_for(below, 2), 2 * tile>>>(values.data(), n, start);
      const dim3 threads(2 * tile, tile / 4);
      update_trailing<<<dim3(below, below), threads>>>(values.data(), n, start);
    }
    CHECK_CUDA(cudaGetLastError());
  }
  return corner(values.download(), n, matrix.size);
}

// A factor with all signs of a column reversed would give the same product.
bool has_positive_diagonal(const SquareMatrix& lower) {
  for (std::size_t n = 0; n < lower.size; ++n) {
    if (!(lower.at(n, n) > 0)) {
      std::printf("cholesky: WRONG, %g on the diagonal in row %zu\n", lower.at(n, n), n + 1);
      return false;
    }
  }
  return true;
}

bool check(const SquareMatrix& matrix, SquareMatrix lower, double rounding) {
  const std::size_t n = matrix.size;
  SquareMatrix upper{n, std::vector<double>(n * n)};
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      // Elements above the diagonal were never computed.
      if (column > row) lower.values[row * n + column] = 0;
      upper.values[column * n + row] = lower.at(row, column);
    }
  }
  return has_positive_diagonal(lower) && check_factors("cholesky", matrix, lower, upper, rounding);
}

}  // namespace

int main(int argc, char** argv) {
  MatrixInput input;
  input.input = "matrices/662_bus.mtx";
  Options options("cholesky", "Cholesky decomposition of a dense matrix, by tiles");
  input.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const SquareMatrix matrix = input.load(MatrixInput::Kind::symmetric);
    if (!cholesky_reference(matrix)) {
      throw InputError(input.input + ": expected a positive definite matrix");
    }
    std::printf("cholesky: %zu x %zu, %s precision\n", matrix.size, matrix.size,
                input.precision.c_str());
    const SquareMatrix factors = input.single() ? factor<float>(matrix) : factor<double>(matrix);
    return check(matrix, factors, input.rounding());
  });
}
