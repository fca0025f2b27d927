// Transposes of a matrix in four ways (M. Harris, "An Efficient Matrix Transpose in CUDA C/C++",
// 2013: tiles of 32 x 32 by blocks of 32 x 8): a copy; a transpose that stores by columns; one by a
// tile in shared memory with each column in a single bank; and one with each column over all banks.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kTransposeTile = 32, kTransposeRows = 8;

extern "C" __global__ void transpose_copy(float* to, const float* from) {
  const int x = blockIdx.x * kTransposeTile + threadIdx.x;
  const int y = blockIdx.y * kTransposeTile + threadIdx.y;
  const int width = gridDim.x * kTransposeTile;
  for (int i = 0; i < kTransposeTile; i += kTransposeRows) {
    to[(y + i) * width + x] = from[(y + i) * width + x];
  }
}

extern "C" __global__ void transpose_naive(float* to, const float* from) {
  const int x = blockIdx.x * kTransposeTile + threadIdx.x;
  const int y = blockIdx.y * kTransposeTile + threadIdx.y;
  const int width = gridDim.x * kTransposeTile;
  for (int i = 0; i < kTransposeTile; i += kTransposeRows) {
    to[x * width + y + i] = from[(y + i) * width + x];
  }
}

/// Rows of the tile are `kPitch` words wide.
template <int kPitch>
__device__ void transpose_by_tiles(float* to, const float* from) {
  __shared__ float tile[kTransposeTile][kPitch];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * kTransposeTile, top = blockIdx.y * kTransposeTile;
  const int width = gridDim.x * kTransposeTile;
  for (int i = 0; i < kTransposeTile; i += kTransposeRows) {
    tile[y + i][x] = from[(top + y + i) * width + left + x];
  }
  __syncthreads();
  for (int i = 0; i < kTransposeTile; i += kTransposeRows) {
    to[(left + y + i) * width + top + x] = tile[x][y + i];
  }
}

extern "C" __global__ void transpose_tiles(float* to, const float* from) {
  transpose_by_tiles<kTransposeTile>(to, from);
}

extern "C" __global__ void transpose_padded(float* to, const float* from) {
  transpose_by_tiles<kTransposeTile + 1>(to, from);
}

/// Transposes 1024 x 1024 numbers. Launches each kernel several times one after the other.
inline bool run_transpose(Bench& bench) {
  constexpr int kWidth = 1024, kLaunches = 8;
  const std::vector<float> values = numbers(kWidth * kWidth, 0, 1);
  std::vector<float> transposed(values.size());
  for (int y = 0; y < kWidth; ++y) {
    for (int x = 0; x < kWidth; ++x) transposed[x * kWidth + y] = values[y * kWidth + x];
  }
  DeviceBuffer<float> from(values);
  bool right = true;
  const auto run = [&](const char* name, auto* kernel, const std::vector<float>& expected) {
    DeviceBuffer<float> to(values.size());
    constexpr unsigned kBlocks = kWidth / kTransposeTile;
    for (int n = 0; n < kLaunches; ++n) {
      bench.launch_at_once(name, kernel, dim3(kBlocks, kBlocks),
                           dim3(kTransposeTile, kTransposeRows), 0, to.data(), from.data());
    }
    right &= check_equal(name, expected, to.download());
  };
  run("transpose_copy", transpose_copy, values);
  run("transpose_naive", transpose_naive, transposed);
  run("transpose_tiles", transpose_tiles, transposed);
  run("transpose_padded", transpose_padded, transposed);
  return right;
}

}  // namespace raddle::workloads::kernels
