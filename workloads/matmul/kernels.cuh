#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr unsigned tile_size = 16;

/// One thread for each element of `product`; every operand comes from global memory. Matrices are
/// size x size, row by row. Launch with blocks of tile_size x tile_size threads.
__global__ void multiply_naive(const float* a, const float* b, float* product, unsigned size) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= size || column >= size) return;
  float sum = 0;
  for (unsigned k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
  product[row * size + column] = sum;
}

/// A block computes one tile of `product`. It walks along a row of tiles of `a` and down a column
/// of tiles of `b`, and keeps the current two in shared memory, so that each element is loaded from
/// global memory once per block instead of tile_size times. Works for any size: tiles contain zeros
/// beyond the edge.
__global__ void multiply_tiled(const float* a, const float* b, float* product, unsigned size) {
  __shared__ float tile_a[tile_size][tile_size];
  __shared__ float tile_b[tile_size][tile_size];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned column = blockIdx.x * tile_size + x;
  const unsigned row = blockIdx.y * tile_size + y;

  float sum = 0;
  for (unsigned start = 0; start < size; start += tile_size) {
    tile_a[y][x] = row < size && start + x < size ? a[row * size + start + x] : 0;
    tile_b[y][x] = start + y < size && column < size ? b[(start + y) * size + column] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < tile_size; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();  // no thread may overwrite a tile that another one still reads
  }
  if (row < size && column < size) product[row * size + column] = sum;
}

}  // namespace raddle::workloads
