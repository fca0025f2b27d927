// Dense matrix product, naive and tiled through shared memory. See README.md.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/generators.h"
#include "common/image.h"
#include "common/options.h"
#include "matmul/kernels.cuh"
#include "matmul/reference.h"

using namespace raddle::workloads;

namespace {

// The orthonormal DCT-II matrix: row k is the k-th cosine wave.
std::vector<float> cosine_transform_matrix(std::size_t size) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<float> matrix(size * size);
  for (std::size_t k = 0; k < size; ++k) {
    const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(size));
    for (std::size_t n = 0; n < size; ++n) {
      const double angle = pi / static_cast<double>(size) * (static_cast<double>(n) + 0.5);
      matrix[k * size + n] = static_cast<float>(scale * std::cos(angle * static_cast<double>(k)));
    }
  }
  return matrix;
}

// Returns the image's top left corner with values from 0 to 1. A smaller image is repeated.
std::vector<float> image_matrix(const std::string& path, std::size_t size) {
  const Image image = read_image(path);
  std::vector<float> matrix(size * size);
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t x = 0; x < size; ++x) {
      const std::size_t pixel = (y % image.height) * image.width + x % image.width;
      matrix[y * size + x] = static_cast<float>(image.pixels[pixel * image.channels]) / 255.0f;
    }
  }
  return matrix;
}

// A sum of n products in any order differs from the true one by at most about n * eps times the sum
// of the products' magnitudes (N. Higham, "Accuracy and Stability of Numerical Algorithms",
// section 3.1), with eps = 2^-24; one more eps for the rounding of the reference to float.
double tolerance(const std::vector<float>& a, const std::vector<float>& b, std::size_t size) {
  double largest_a = 0;
  double largest_b = 0;
  for (float value : a) largest_a = std::fmax(largest_a, std::fabs(value));
  for (float value : b) largest_b = std::fmax(largest_b, std::fabs(value));
  const double n = static_cast<double>(size);
  return (n + 1) * 0x1p-24 * n * largest_a * largest_b;
}

std::vector<float> multiply(const std::vector<float>& a, const std::vector<float>& b, unsigned size,
                            bool tiled) {
  DeviceBuffer<float> device_a(a);
  DeviceBuffer<float> device_b(b);
  DeviceBuffer<float> product(a.size());
  const dim3 block(tile_size, tile_size);
  const dim3 grid(blocks_for(size, tile_size), blocks_for(size, tile_size));
  if (tiled) {
    multiply_tiled<<<grid, block>>>(device_a.data(), device_b.data(), product.data(), size);
  } else {
    multiply_naive<<<grid, block>>>(device_a.data(), device_b.data(), product.data(), size);
  }
  CHECK_CUDA(cudaGetLastError());
  return product.download();
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "tiled";
  std::string input = "images/camera.pgm";
  std::int64_t size = 192;
  std::int64_t seed = 1;
  bool random = false;
  Options options("matmul", "dense matrix product: the cosine transform of an image's columns");
  options.add_choice("--variant", &variant, {"tiled", "naive"}, "kernel");
  options.add("--size", &size, 1, 16384, "rows and columns");
  options.add("--input", &input, "PGM or PPM image, the right-hand matrix");
  options.add_flag("--random", &random, "multiply two random matrices instead");
  options.add("--seed", &seed, 0, INT64_MAX, "of the random matrices");
  return run_workload(options, argc, argv, [&] {
    const auto n = static_cast<unsigned>(size);
    const std::size_t elements = std::size_t{n} * n;
    const auto a = random ? random_floats(elements, -1, 1, seed) : cosine_transform_matrix(n);
    const auto b =
        random ? random_floats(elements, -1, 1, seed + 1) : image_matrix(find_input(input), n);
    std::printf("matmul: %u x %u, %s\n", n, n, variant.c_str());
    const auto product = multiply(a, b, n, variant == "tiled");
    return check_close("matmul", multiply_reference(a, b, n), product, tolerance(a, b, n));
  });
}
