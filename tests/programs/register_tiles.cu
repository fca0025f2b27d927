// A matrix product with tiles in shared memory; each thread computes 8 x 8 elements.
#include "check.h"

constexpr int kTile = 64, kDepth = 8, kOfThread = 8;

__global__ void __launch_bounds__(64)
    multiply(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {
  __shared__ float tile_a[kDepth][kTile], tile_b[kDepth][kTile];
  const int t = threadIdx.x, column = t % 8 * kOfThread, row = t / 8 * kOfThread;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  float sums[kOfThread][kOfThread] = {};
  for (int k = 0; k < n; k += kDepth) {
    for (int r = 0; r < kDepth; ++r) tile_a[r][t] = a[t * n + k + r];
    for (int r = 0; r < kDepth; ++r) tile_b[r][t] = b[(k + r) * n + t];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kDepth; ++r) {
      float left[kOfThread], right[kOfThread];
#pragma unroll
      for (int i = 0; i < kOfThread; ++i) left[i] = tile_a[r][row + i];
#pragma unroll
      for (int j = 0; j < kOfThread; ++j) right[j] = tile_b[r][column + j];
#pragma unroll
      for (int i = 0; i < kOfThread; ++i) {
#pragma unroll
        for (int j = 0; j < kOfThread; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
#pragma unroll
    for (int j = 0; j < kOfThread; ++j) c[(row + i) * n + column + j] = sums[i][j];
  }
}

int main() {
  const int n = 128;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {  // small integers: every sum is exact
    a[i] = static_cast<float>(i % 7 - 3);
    b[i] = static_cast<float>(i % 5 - 2);
  }
  float* const out = device_array<float>(a.size());
  multiply<<<dim3(n / kTile, n / kTile), 64>>>(to_device(a), to_device(b), out, n);
  const auto found = to_host(out, a.size());
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      EXPECT_EQ_AT(y * n + x, found[y * n + x], sum);
    }
  }
  return finish();
}
