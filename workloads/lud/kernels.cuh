#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

/// Rows and columns of a tile. Matrices are `n` x `n`, row by row, and n is a multiple of `tile`.
/// `start` is the first row and column of the current tile on the diagonal.
constexpr unsigned tile = 16;

/// Replaces the tile on the diagonal by its L (below the diagonal; its ones are not stored) and U.
/// One warp.
template <class T>
__global__ void factor_diagonal(T* matrix, unsigned n, unsigned start) {
  __shared__ T values[tile][tile + 1];
  T* const corner = matrix + start * n + start;
  const unsigned column = threadIdx.x % tile, half = threadIdx.x / tile;
  for (unsigned r = half; r < tile; r += 2) values[r][column] = corner[r * n + column];
  for (unsigned s = 0; s + 1 < tile; ++s) {
    __syncthreads();
    if (threadIdx.x > s && threadIdx.x < tile) values[threadIdx.x][s] /= values[s][s];
    __syncthreads();
    if (column > s) {
      for (unsigned r = s + 1 + half; r < tile; r += 2) {
        values[r][column] -= values[r][s] * values[s][column];
      }
    }
  }
  __syncthreads();
  for (unsigned r = half; r < tile; r += 2) corner[r * n + column] = values[r][column];
}

/// Half of the warp solves L X = A for a tile to the right of the diagonal tile, a column a lane.
/// The other half solves Y U = A for a tile below it, a row a lane. Each half loads half of L and
/// U.
template <class T>
__global__ void solve_perimeter(T* matrix, unsigned n, unsigned start) {
  __shared__ T factors[tile][tile + 1];
  __shared__ T across[tile][tile + 1];
  __shared__ T down[tile][tile + 1];
  const unsigned other = start + tile * (blockIdx.x + 1);
  if (threadIdx.x < tile) {
    const unsigned column = threadIdx.x;
    const T* from = matrix + start * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile / 2; ++r) factors[r][column] = from[r * n];
    from = matrix + start * n + other + column;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) across[r][column] = from[r * n];
  } else {
    const unsigned column = threadIdx.x - tile;
    const T* from = matrix + (start + tile / 2) * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile / 2; ++r) factors[r + tile / 2][column] = from[r * n];
    from = matrix + other * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) down[r][column] = from[r * n];
  }
  __syncthreads();
  if (threadIdx.x < tile) {
    const unsigned column = threadIdx.x;
#pragma unroll
    for (unsigned r = 1; r < tile; ++r) {
      T value = across[r][column];
#pragma unroll
      for (unsigned k = 0; k < r; ++k) value -= factors[r][k] * across[k][column];
      across[r][column] = value;
    }
  } else {
    const unsigned row = threadIdx.x - tile;
#pragma unroll
    for (unsigned c = 0; c < tile; ++c) {
      T value = down[row][c];
#pragma unroll
      for (unsigned k = 0; k < c; ++k) value -= down[row][k] * factors[k][c];
      down[row][c] = value / factors[c][c];
    }
  }
  __syncthreads();
  if (threadIdx.x < tile) {
    T* const to = matrix + start * n + other + threadIdx.x;
#pragma unroll
    for (unsigned r = 1; r < tile; ++r) to[r * n] = across[r][threadIdx.x];
  } else {
    const unsigned column = threadIdx.x - tile;
    T* const to = matrix + other * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) to[r * n] = down[r][column];
  }
}

/// Updates the tiles to the right of and below the perimeter to A - Y X. Blocks have tile x tile
/// threads.
template <class T>
__global__ void update_internal(T* matrix, unsigned n, unsigned start) {
  __shared__ T across[tile][tile];
  __shared__ T down[tile][tile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = start + tile * (blockIdx.y + 1) + y;
  const unsigned column = start + tile * (blockIdx.x + 1) + x;
  across[y][x] = matrix[(start + y) * n + column];
  down[y][x] = matrix[row * n + start + x];
  __syncthreads();
  T sum = 0;
#pragma unroll
  for (unsigned k = 0; k < tile; ++k) sum += down[y][k] * across[k][x];
  matrix[row * n + column] -= sum;
}

}  // namespace raddle::workloads
