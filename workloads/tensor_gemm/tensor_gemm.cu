// Matrix product on tensor cores, from shared or from global memory. See README.md.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/generators.h"
#include "common/options.h"
#include "matmul/reference.h"
#include "tensor_gemm/kernels.cuh"

using namespace raddle::workloads;

namespace {

// A square matrix of halves, padded with zeros, and the same numbers as floats without padding.
struct Matrix {
  std::vector<__half> padded;
  std::vector<float> exact;
};

Matrix random_matrix(unsigned size, unsigned padded_size, std::int64_t seed) {
  Matrix matrix;
  matrix.padded.assign(std::size_t{padded_size} * padded_size, __float2half(0.0f));
  matrix.exact = random_floats(std::size_t{size} * size, -1, 1, seed);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const __half rounded = __float2half(matrix.exact[row * size + column]);
      matrix.padded[row * padded_size + column] = rounded;
      matrix.exact[row * size + column] = __half2float(rounded);
    }
  }
  return matrix;
}

std::vector<float> multiply(const Matrix& a, const Matrix& b, unsigned size, unsigned padded_size,
                            bool shared) {
  DeviceBuffer<__half> device_a(a.padded);
  DeviceBuffer<__half> device_b(b.padded);
  DeviceBuffer<float> product(a.padded.size());
  if (shared) {
    const dim3 grid(padded_size / block_tile, padded_size / block_tile);
    multiply_from_shared<<<grid, block_warps * warp_size>>>(device_a.data(), device_b.data(),
                                                            product.data(), padded_size);
  } else {
    const dim3 grid(padded_size / fragment_size, padded_size / fragment_size);
    multiply_from_global<<<grid, warp_size>>>(device_a.data(), device_b.data(), product.data(),
                                              padded_size);
  }
  CHECK_CUDA(cudaGetLastError());
  const std::vector<float> padded = product.download();
  std::vector<float> result;
  for (std::size_t row = 0; row < size; ++row) {
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(row * padded_size);
    result.insert(result.end(), first, first + size);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "shared";
  std::int64_t size = 256;
  std::int64_t seed = 1;
  Options options("tensor_gemm", "matrix product on tensor cores, half precision to single");
  options.add_choice("--variant", &variant, {"shared", "global"}, "kernel");
  options.add("--size", &size, 1, 16384, "rows and columns");
  options.add("--seed", &seed, 0, INT64_MAX - 1, "of the random matrices");
  return run_workload(options, argc, argv, [&] {
    const auto n = static_cast<unsigned>(size);
    const unsigned padded_size = (n + block_tile - 1) / block_tile * block_tile;
    const Matrix a = random_matrix(n, padded_size, seed);
    const Matrix b = random_matrix(n, padded_size, seed + 1);
    std::printf("tensor_gemm: %u x %u, %s\n", n, n, variant.c_str());
    const auto product = multiply(a, b, n, padded_size, variant == "shared");
    // Elements are at most 1 in magnitude; see README.md for the rest of the bound.
    const double tolerance = 2.0 * n * 0x1p-23 * n;
    return check_close("tensor_gemm", multiply_reference(a.exact, b.exact, n), product, tolerance);
  });
}
