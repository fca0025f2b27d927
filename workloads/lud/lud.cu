// LU decomposition by tiles in shared memory, without pivoting. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "common/device_buffer.h"
#include "common/options.h"
#include "common/square_matrix.h"
#include "common/text_scanner.h"
#include "lud/kernels.cuh"
#include "lud/reference.h"

using namespace raddle::workloads;

namespace {

template <class T>
SquareMatrix factor(const SquareMatrix& matrix) {
  const unsigned tiles = blocks_for(matrix.size, tile), n = tiles * tile;
  DeviceBuffer<T> values(padded<T>(matrix, n));
  for (unsigned step = 0; step < tiles; ++step) {
    const unsigned start = step * tile, rest = tiles - step - 1;
    factor_diagonal<<<1, 2 * tile>>>(values.data(), n, start);
    if (rest > 0) {
      solve_perimeter<<<rest, 2 * tile>>>(values.data(), n, start);
      update_internal<<<dim3(rest, rest), dim3(tile, tile)>>>(values.data(), n, start);
    }
    CHECK_CUDA(cudaGetLastError());
  }
  return corner(values.download(), n, matrix.size);
}

bool check(const SquareMatrix& matrix, const SquareMatrix& factors, double rounding) {
  const std::size_t n = matrix.size;
  SquareMatrix lower{n, std::vector<double>(n * n)}, upper = lower;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      (column < row ? lower : upper).values[row * n + column] = factors.at(row, column);
    }
    lower.values[row * n + row] = 1;
  }
  return check_factors("lud", matrix, lower, upper, rounding);
}

}  // namespace

int main(int argc, char** argv) {
  MatrixInput input;
  Options options("lud", "LU decomposition of a dense matrix, by tiles");
  input.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const SquareMatrix matrix = input.load(MatrixInput::Kind::dominant);
    if (!lud_reference(matrix)) {
      throw InputError(input.input + ": a pivot is zero, and rows are not exchanged");
    }
    std::printf("lud: %zu x %zu, %s precision\n", matrix.size, matrix.size,
                input.precision.c_str());
    const SquareMatrix factors = input.single() ? factor<float>(matrix) : factor<double>(matrix);
    return check(matrix, factors, input.rounding());
  });
}
