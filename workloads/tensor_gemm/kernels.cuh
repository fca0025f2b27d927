#pragma once

#include <cuda_runtime.h>
#include <mma.h>

namespace raddle::workloads {

namespace wmma = nvcuda::wmma;

constexpr unsigned fragment_size = 16;
constexpr unsigned block_tile = 64;  // rows and columns of the product that a block computes
constexpr unsigned strip = 32;       // columns of a and rows of b in shared memory at a time
constexpr unsigned warp_size = 32;
constexpr unsigned block_warps = 4;  // two by two; each has half the rows and half the columns
constexpr unsigned padding = 8;      // elements after each row in shared memory

template <class Use>
using Factor =
    wmma::fragment<Use, fragment_size, fragment_size, fragment_size, __half, wmma::row_major>;
using Accumulator =
    wmma::fragment<wmma::accumulator, fragment_size, fragment_size, fragment_size, float>;

/// One warp a block, one fragment of `product` a warp. Matrices are size x size, row by row; size
/// is a multiple of fragment_size.
__global__ void multiply_from_global(const __half* a, const __half* b, float* product,
                                     unsigned size) {
  const unsigned row = blockIdx.y * fragment_size;
  const unsigned column = blockIdx.x * fragment_size;
  Factor<wmma::matrix_a> fragment_a;
  Factor<wmma::matrix_b> fragment_b;
  Accumulator sums;
  wmma::fill_fragment(sums, 0.0f);
  for (unsigned k = 0; k < size; k += fragment_size) {
    wmma::load_matrix_sync(fragment_a, a + row * size + k, size);
    wmma::load_matrix_sync(fragment_b, b + k * size + column, size);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
  }
  wmma::store_matrix_sync(product + row * size + column, sums, size, wmma::mem_row_major);
}

/// Copies a strip of `rows` x `columns` elements, eight at a time, by all threads of the block.
template <unsigned rows, unsigned columns>
__device__ void copy_strip(const __half* from, unsigned size, __half (*to)[columns + padding]) {
  constexpr unsigned vector = sizeof(uint4) / sizeof(__half);
  constexpr unsigned a_row = columns / vector;
  for (unsigned n = threadIdx.x; n < rows * a_row; n += block_warps * warp_size) {
    const unsigned row = n / a_row;
    const unsigned column = n % a_row * vector;
    *reinterpret_cast<uint4*>(&to[row][column]) =
        *reinterpret_cast<const uint4*>(from + row * size + column);
  }
}

/// A block computes block_tile x block_tile elements of `product`; size is a multiple of
/// block_tile.
__global__ void multiply_from_shared(const __half* a, const __half* b, float* product,
                                     unsigned size) {
  __shared__ __align__(32) __half strip_a[block_tile][strip + padding];
  __shared__ __align__(32) __half strip_b[strip][block_tile + padding];
  constexpr unsigned half_tile = block_tile / 2;
  constexpr unsigned fragments = half_tile / fragment_size;
  const unsigned warp = threadIdx.x / warp_size;
  const unsigned top = warp / 2 * half_tile;
  const unsigned left = warp % 2 * half_tile;
  const unsigned row = blockIdx.y * block_tile;
  const unsigned column = blockIdx.x * block_tile;

  Accumulator sums[fragments][fragments];
  for (auto& line : sums) {
    for (Accumulator& sum : line) wmma::fill_fragment(sum, 0.0f);
  }
  for (unsigned start = 0; start < size; start += strip) {
    copy_strip<block_tile, strip>(a + row * size + start, size, strip_a);
    copy_strip<strip, block_tile>(b + start * size + column, size, strip_b);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < strip; k += fragment_size) {
      Factor<wmma::matrix_a> fragment_a[fragments];
      Factor<wmma::matrix_b> fragment_b[fragments];
#pragma unroll
      for (unsigned n = 0; n < fragments; ++n) {
        wmma::load_matrix_sync(fragment_a[n], &strip_a[top + n * fragment_size][k],
                               strip + padding);
        wmma::load_matrix_sync(fragment_b[n], &strip_b[k][left + n * fragment_size],
                               block_tile + padding);
      }
#pragma unroll
      for (unsigned y = 0; y < fragments; ++y) {
#pragma unroll
        for (unsigned x = 0; x < fragments; ++x) {
          wmma::mma_sync(sums[y][x], fragment_a[y], fragment_b[x], sums[y][x]);
        }
      }
    }
    __syncthreads();  // no warp may overwrite a strip that another one still reads
  }
#pragma unroll
  for (unsigned y = 0; y < fragments; ++y) {
#pragma unroll
    for (unsigned x = 0; x < fragments; ++x) {
      float* to =
          product + (row + top + y * fragment_size) * size + column + left + x * fragment_size;
      wmma::store_matrix_sync(to, sums[y][x], size, wmma::mem_row_major);
    }
  }
}

}  // namespace raddle::workloads
