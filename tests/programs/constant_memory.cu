// Constant memory read uniformly and with an address that differs from lane to lane.
#include "check.h"

__constant__ float coefficients[5];
__constant__ int permutation[64];

__global__ void polynomial(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int k = 4; k >= 0; --k) sum = fmaf(sum, x[i], coefficients[k]);
  y[i] = sum;
}
__global__ void permute(int* out) { out[threadIdx.x] = permutation[63 - threadIdx.x]; }

int main() {
  const float c[5] = {1, -2, 0.5f, 3, -1};
  CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  std::vector<float> x(300);
  for (int i = 0; i < 300; ++i) x[i] = (i - 150) * 0.125f;
  float* const y = device_array<float>(300);
  polynomial<<<3, 128>>>(to_device(x), y, 300);
  const auto found = to_host(y, 300);
  for (int i = 0; i < 300; ++i) {
    float sum = 0;
    for (int k = 4; k >= 0; --k) sum = std::fma(sum, x[i], c[k]);
    EXPECT_EQ_AT(i, found[i], sum);
  }
  int p[64];
  for (int i = 0; i < 64; ++i) p[i] = (i * 37) % 64;
  CHECK(cudaMemcpyToSymbol(permutation, p, sizeof p));
  int* const out = device_array<int>(64);
  permute<<<1, 64>>>(out);
  const auto permuted = to_host(out, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, permuted[i], p[63 - i]);
  return finish();
}
