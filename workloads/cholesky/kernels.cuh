#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

/// Rows and columns of a tile. Matrices are `n` x `n`, row by row, and n is a multiple of `tile`.
/// `start` is the first row and column of the current tile on the diagonal.
constexpr unsigned tile = 16;

/// Replaces the tile on the diagonal by its L, column by column. Elements above the diagonal are
/// not used. One warp.
template <class T>
__global__ void factor_diagonal(T* matrix, unsigned n, unsigned start) {
  __shared__ T values[tile][tile + 1];
  T* const corner = matrix + start * n + start;
  const unsigned column = threadIdx.x % tile, half = threadIdx.x / tile;
  for (unsigned r = half; r < tile; r += 2) values[r][column] = corner[r * n + column];
  for (unsigned c = 0; c < tile; ++c) {
    __syncthreads();
    if (threadIdx.x == c) values[c][c] = sqrt(values[c][c]);
    __syncthreads();
    if (threadIdx.x > c && threadIdx.x < tile) values[threadIdx.x][c] /= values[c][c];
    __syncthreads();
    if (column > c) {
      for (unsigned r = c + 1 + half; r < tile; r += 2) {
        values[r][column] -= values[r][c] * values[column][c];
      }
    }
  }
  __syncthreads();
  for (unsigned r = half; r < tile; r += 2) corner[r * n + column] = values[r][column];
}

/// Solves X L^T = A for the tiles below the diagonal tile. One warp has two tiles, a row a lane, in
/// shared memory by columns. Half of the lanes load L and the first quarter of A, the others the
/// rest of A.
template <class T>
__global__ void solve_panel(T* matrix, unsigned n, unsigned start) {
  __shared__ T factor[tile][tile + 1];
  __shared__ T panel[tile][2 * tile + 1];
  const unsigned lane = threadIdx.x, first_row = start + tile + 2 * tile * blockIdx.x;
  const bool is_pair = first_row + tile < n;  // else the last tile is alone, and loaded twice
  const unsigned second_row = is_pair ? first_row + tile : first_row;
  if (lane < tile) {
    const T* from = matrix + start * n + start + lane;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) factor[r][lane] = from[r * n];
    from = matrix + first_row * n + start + lane;
#pragma unroll
    for (unsigned r = 0; r < tile / 2; ++r) panel[lane][r] = from[r * n];
  } else {
    const unsigned column = lane - tile;
    const T* from = matrix + (first_row + tile / 2) * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile / 2; ++r) panel[column][r + tile / 2] = from[r * n];
    from = matrix + second_row * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) panel[column][r + tile] = from[r * n];
  }
  __syncthreads();
  for (unsigned c = 0; c < tile; ++c) {
    T value = panel[c][lane];
    for (unsigned k = 0; k < c; ++k) value -= panel[k][lane] * factor[c][k];
    panel[c][lane] = value / factor[c][c];
  }
  __syncthreads();
  if (lane < tile || is_pair) {
    const unsigned column = lane % tile, first = lane - column;
    T* const to = matrix + (first_row + first) * n + start + column;
#pragma unroll
    for (unsigned r = 0; r < tile; ++r) to[r * n] = panel[column][first + r];
  }
}

/// Updates the tiles to the right of the panel, on the diagonal and below it, to A - X Y^T. X and Y
/// are the panel's tiles of the same rows and of the same columns. In each warp half of the lanes
/// load X; the others load Y and transpose it. Blocks have 2 tile x tile / 4 threads.
template <class T>
__global__ void update_trailing(T* matrix, unsigned n, unsigned start) {
  if (blockIdx.x > blockIdx.y) return;
  __shared__ T left[tile][tile + 1];
  __shared__ T right[tile][tile + 1];
  constexpr unsigned step = tile / 4;
  const unsigned row = start + tile * (blockIdx.y + 1), column = start + tile * (blockIdx.x + 1);
  if (threadIdx.x < tile) {
    const unsigned x = threadIdx.x;
    const T* const from = matrix + (row + threadIdx.y) * n + start + x;
#pragma unroll
    for (unsigned r = 0; r < tile; r += step) left[threadIdx.y + r][x] = from[r * n];
  } else {
    const unsigned x = threadIdx.x - tile;
    const T* const from = matrix + (column + threadIdx.y) * n + start + x;
#pragma unroll
    for (unsigned r = 0; r < tile; r += step) right[x][threadIdx.y + r] = from[r * n];
  }
  __syncthreads();
  const unsigned x = threadIdx.x % tile, y = 2 * threadIdx.y + threadIdx.x / tile;
  T upper = 0, lower = 0;
#pragma unroll
  for (unsigned k = 0; k < tile; ++k) {
    upper += left[y][k] * right[k][x];
    lower += left[y + tile / 2][k] * right[k][x];
  }
  T* const to = matrix + (row + y) * n + column + x;
  to[0] -= upper;
  to[tile / 2 * n] -= lower;
}

}  // namespace raddle::workloads
