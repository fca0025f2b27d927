// c = a b for matrices of 256 x 256 floats, a thread for each element of c, without tiles.
#include "check.h"

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main() {
  const int n = 256;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {  // small integers: every sum is exact
    a[i] = static_cast<float>(i % 7 - 3);
    b[i] = static_cast<float>(i % 5 - 2);
  }
  const float* device_a = device_copy(a);
  const float* device_b = device_copy(b);
  float* device_c = device_copy(std::vector<float>(n * n));
  multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(device_a, device_b, device_c, n);
  check(cudaGetLastError());
  const std::vector<float> c = host_copy(device_c, n * n);
  bool right = true;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
      right = right && sum == c[row * n + column];
    }
  }
  return report("matmul", right);
}
