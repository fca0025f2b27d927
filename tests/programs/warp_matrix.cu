// gpu: v100
// nvcuda::wmma: one tile in every layout, half and single accumulators, elementwise scaling.
#include <cuda_fp16.h>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

constexpr int kSide = 16;

template <class Sum, class LayoutA, class LayoutB>
__global__ void one_tile(const half* a, const half* b, Sum* d, Sum alpha,
                         wmma::layout_t result_layout) {
  wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, half, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, half, LayoutB> fb;
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, Sum> sums;
  wmma::fill_fragment(sums, Sum(0.5f));
  wmma::load_matrix_sync(fa, a, kSide);
  wmma::load_matrix_sync(fb, b, kSide);
  wmma::mma_sync(sums, fa, fb, sums);
  for (int n = 0; n < sums.num_elements; ++n) sums.x[n] = Sum(float(sums.x[n]) * float(alpha));
  wmma::store_matrix_sync(d, sums, kSide, result_layout);
}

// Rows or columns first.
int at(bool rows, int row, int column, int side) {
  return rows ? row * side + column : column * side + row;
}

template <class Sum, class LayoutA, class LayoutB>
void check_tile(bool rows_a, bool rows_b, bool rows_d) {
  half *a, *b;
  Sum* d;
  CHECK(cudaMallocManaged(&a, kSide * kSide * sizeof *a));
  CHECK(cudaMallocManaged(&b, kSide * kSide * sizeof *b));
  CHECK(cudaMallocManaged(&d, kSide * kSide * sizeof *d));
  for (int n = 0; n < kSide * kSide; ++n) {
    a[n] = __float2half(float(n * 7 % 13 - 6) / 2);
    b[n] = __float2half(float(n * 5 % 11 - 5));
  }
  one_tile<Sum, LayoutA, LayoutB>
      <<<1, 32>>>(a, b, d, Sum(2.0f), rows_d ? wmma::mem_row_major : wmma::mem_col_major);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      float sum = 0.5f;
      for (int k = 0; k < kSide; ++k) {
        sum += __half2float(a[at(rows_a, row, k, kSide)]) *
               __half2float(b[at(rows_b, k, column, kSide)]);
      }
      EXPECT_EQ_AT(row * kSide + column, float(d[at(rows_d, row, column, kSide)]), 2 * sum);
    }
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(d));
}

template <class LayoutA, class LayoutB>
void check_layouts(bool rows_a, bool rows_b) {
  check_tile<float, LayoutA, LayoutB>(rows_a, rows_b, true);
  check_tile<float, LayoutA, LayoutB>(rows_a, rows_b, false);
  check_tile<half, LayoutA, LayoutB>(rows_a, rows_b, rows_a);
}

int main() {
  check_layouts<wmma::row_major, wmma::row_major>(true, true);
  check_layouts<wmma::row_major, wmma::col_major>(true, false);
  check_layouts<wmma::col_major, wmma::row_major>(false, true);
  check_layouts<wmma::col_major, wmma::col_major>(false, false);
  return finish();
}
