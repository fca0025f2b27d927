// A product of matrices with ldmatrix and mma in inline PTX, as libraries write them.
// gpu: h200
#include <cuda_fp16.h>

#include "check.h"

constexpr int kRows = 64, kColumns = 32, kDepth = 48;
constexpr int kPadded = kDepth + 8;  // rows of 112 bytes: no bank conflicts

__device__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

// A warp for each 16 rows; A in rows, B in columns, both along the depth.
__global__ void multiply(const half* a, const half* b, float* d) {
  __shared__ __align__(16) half rows_of_a[kRows][kPadded], columns_of_b[kColumns][kPadded];
  for (int n = threadIdx.x; n < kRows * kDepth; n += blockDim.x) {
    rows_of_a[n / kDepth][n % kDepth] = a[n];
  }
  for (int n = threadIdx.x; n < kColumns * kDepth; n += blockDim.x) {
    columns_of_b[n / kDepth][n % kDepth] = b[n];
  }
  __syncthreads();
  const int lane = threadIdx.x % 32, top = threadIdx.x / 32 * 16;
  for (int left = 0; left < kColumns; left += 8) {
    float c[4] = {0, 0, 0, 0};
    for (int k = 0; k < kDepth; k += 16) {
      unsigned fa[4], fb[2];
      // Matrices of x4: rows 0-7 and 8-15 of the first eight columns, then of the next.
      const unsigned from_a = shared_address(&rows_of_a[top + lane % 16][k + lane / 16 * 8]);
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                   : "r"(from_a));
      const unsigned from_b = shared_address(&columns_of_b[left + lane % 8][k + lane / 8 % 2 * 8]);
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                   : "=r"(fb[0]), "=r"(fb[1])
                   : "r"(from_b));
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "{%8, %9}, {%0, %1, %2, %3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    }
    for (int n = 0; n < 4; ++n) {
      const int row = top + lane / 4 + n / 2 * 8, column = left + lane % 4 * 2 + n % 2;
      d[row * kColumns + column] = c[n];
    }
  }
}

int main() {
  half *a, *b;
  float* d;
  CHECK(cudaMallocManaged(&a, kRows * kDepth * sizeof *a));
  CHECK(cudaMallocManaged(&b, kColumns * kDepth * sizeof *b));
  CHECK(cudaMallocManaged(&d, kRows * kColumns * sizeof *d));
  for (int n = 0; n < kRows * kDepth; ++n) a[n] = __float2half(float(n * 7 % 17 - 8) / 4);
  for (int n = 0; n < kColumns * kDepth; ++n) b[n] = __float2half(float(n * 5 % 19 - 9) / 2);
  multiply<<<1, 32 * kRows / 16>>>(a, b, d);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      float sum = 0;  // exact: multiples of 1/8 below 2^12
      for (int k = 0; k < kDepth; ++k) {
        sum += __half2float(a[row * kDepth + k]) * __half2float(b[column * kDepth + k]);
      }
      EXPECT_EQ_AT(row * kColumns + column, d[row * kColumns + column], sum);
    }
  }
  return finish();
}
