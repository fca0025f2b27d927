// gpu: h200
// cc: -arch=sm_80
// compiler: clang
// nvcuda::wmma beyond half precision: bfloat16, tf32, double, bytes and bits, in the shapes that
// each type has.
#include <mma.h>

#include "check.h"

using namespace nvcuda;
using Rows = wmma::row_major;
using Columns = wmma::col_major;

template <int m, int n, int k, class Type, class Memory, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const Memory* a, const Memory* b, Sum* d, int stride_a, int stride_b) {
  wmma::fragment<wmma::matrix_a, m, n, k, Type, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, Type, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
  wmma::load_matrix_sync(fa, a, stride_a);
  wmma::load_matrix_sync(fb, b, stride_b);
  wmma::load_matrix_sync(sums, d, n, wmma::mem_row_major);
  wmma::mma_sync(sums, fa, fb, sums);
  wmma::store_matrix_sync(d, sums, n, wmma::mem_row_major);
}

int number(int n, int modulus, int middle) { return n * 7 % modulus - middle; }

// What is stored for a small whole number.
template <class Memory>
Memory stored(int value) {
  return Memory(value);
}
template <>
__nv_bfloat16 stored(int value) {
  return __float2bfloat16(float(value));
}

// Elements are whole numbers from `-middle` up, below `modulus - middle`.
template <int m, int n, int k, class Type, class Memory, class Sum, class LayoutA, class LayoutB>
void check(int modulus, int middle) {
  constexpr bool rows_a = std::is_same<LayoutA, Rows>::value;
  constexpr bool rows_b = std::is_same<LayoutB, Rows>::value;
  Memory *a, *b;
  Sum* d;
  CHECK(cudaMallocManaged(&a, m * k * sizeof *a));
  CHECK(cudaMallocManaged(&b, k * n * sizeof *b));
  CHECK(cudaMallocManaged(&d, m * n * sizeof *d));
  for (int i = 0; i < m * k; ++i) a[i] = stored<Memory>(number(i, modulus, middle));
  for (int i = 0; i < k * n; ++i) b[i] = stored<Memory>(number(i + 3, modulus, middle));
  for (int i = 0; i < m * n; ++i) d[i] = Sum(i % 9 - 4);
  multiply<m, n, k, Type, Memory, Sum, LayoutA, LayoutB>
      <<<1, 32>>>(a, b, d, rows_a ? k : m, rows_b ? n : k);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      int sum = (row * n + column) % 9 - 4;
      for (int i = 0; i < k; ++i) {
        sum += number(rows_a ? row * k + i : i * m + row, modulus, middle) *
               number((rows_b ? i * n + column : column * k + i) + 3, modulus, middle);
      }
      EXPECT_EQ_AT(row * n + column, d[row * n + column], sum);
    }
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(d));
}

template <int m, int n>
void check_tiles() {
  check<m, n, 16, __nv_bfloat16, __nv_bfloat16, float, Columns, Rows>(23, 11);
  check<m, n, 16, signed char, signed char, int, Rows, Rows>(255, 127);
  check<m, n, 16, signed char, signed char, int, Columns, Columns>(255, 127);
  check<m, n, 16, unsigned char, unsigned char, int, Rows, Columns>(256, 0);
}

// Bits: 128 of them in four words a row of A, and a column of B.
__global__ void count_bits(const void* a, const void* b, int* d, bool both) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, Rows> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, Columns> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sums;
  wmma::fill_fragment(sums, 1);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  if (both) {
    wmma::bmma_sync(sums, fa, fb, sums, wmma::experimental::bmmaBitOpAND);
  } else {
    wmma::bmma_sync(sums, fa, fb, sums);
  }
  wmma::store_matrix_sync(d, sums, 8, wmma::mem_row_major);
}

void check_bits(bool both) {
  unsigned *a, *b;
  int* d;
  CHECK(cudaMallocManaged(&a, 32 * sizeof *a));
  CHECK(cudaMallocManaged(&b, 32 * sizeof *b));
  CHECK(cudaMallocManaged(&d, 64 * sizeof *d));
  for (unsigned i = 0; i < 32; ++i) {
    a[i] = i * 2654435761u;
    b[i] = (i + 40) * 2246822519u;
  }
  count_bits<<<1, 32>>>(a, b, d, both);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      int sum = 1;
      for (int i = 0; i < 4; ++i) {
        const unsigned x = a[row * 4 + i], y = b[column * 4 + i];
        sum += __builtin_popcount(both ? x & y : x ^ y);
      }
      EXPECT_EQ_AT(row * 8 + column, d[row * 8 + column], sum);
    }
  }
}

int main() {
  check_tiles<16, 16>();
  check_tiles<32, 8>();
  check_tiles<8, 32>();
  check<16, 16, 8, wmma::precision::tf32, float, float, Rows, Columns>(101, 50);
  check<16, 16, 8, wmma::precision::tf32, float, float, Columns, Rows>(101, 50);
  check<8, 8, 4, double, double, double, Rows, Rows>(1001, 500);
  check<8, 8, 4, double, double, double, Columns, Columns>(1001, 500);
  check_bits(false);
  check_bits(true);
  return finish();
}
