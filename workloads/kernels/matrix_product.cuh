// A matrix product by tiles in shared memory, a thread an element (CUDA C++ Programming Guide,
// "Shared Memory"). Sizes and launches are those of the CUDA sample matrixMul.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kProductTile = 32;

/// to = left * right. Rows of `left` have `inner` elements, rows of the others `width`. All are
/// multiples of a tile.
extern "C" __global__ void product_by_tiles(float* to, const float* left, const float* right,
                                            int inner, int width) {
  __shared__ float a[kProductTile][kProductTile], b[kProductTile][kProductTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kProductTile + y, column = blockIdx.x * kProductTile + x;
  float sum = 0;
  for (int tile = 0; tile < inner; tile += kProductTile) {
    a[y][x] = left[row * inner + tile + x];
    b[y][x] = right[(tile + y) * width + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kProductTile; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  to[row * width + column] = sum;
}

/// Multiplies 320 x 320 by 320 x 640, several times one after the other.
inline bool run_matrix_product(Bench& bench) {
  constexpr int kRows = 320, kInner = 320, kWidth = 640, kLaunches = 4;
  std::vector<float> left(kRows * kInner), right(kInner * kWidth), expected(kRows * kWidth);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<float>(i % 5);
  DeviceBuffer<float> a(left), b(right), c(kRows * kWidth);
  const dim3 blocks(kWidth / kProductTile, kRows / kProductTile),
      threads(kProductTile, kProductTile);
  for (int n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("product_by_tiles", product_by_tiles, blocks, threads, 0, c.data(),
                         a.data(), b.data(), kInner, kWidth);
  }
  for (int row = 0; row < kRows; ++row) {
    for (int k = 0; k < kInner; ++k) {
      const float factor = left[row * kInner + k];
      for (int column = 0; column < kWidth; ++column) {
        expected[row * kWidth + column] += factor * right[k * kWidth + column];
      }
    }
  }
  return check_equal("product_by_tiles", expected, c.download());  // small whole numbers: exact
}

}  // namespace raddle::workloads::kernels
