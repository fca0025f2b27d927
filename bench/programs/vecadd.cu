// c = a + b for a million floats.
#include "check.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20, threads = 256;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * i;
    b[i] = 2.0f * i;
  }
  const float* device_a = device_copy(a);
  const float* device_b = device_copy(b);
  float* device_c = device_copy(std::vector<float>(n));
  add<<<(n + threads - 1) / threads, threads>>>(device_a, device_b, device_c, n);
  check(cudaGetLastError());
  const std::vector<float> c = host_copy(device_c, n);
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && c[i] == a[i] + b[i];
  return report("vecadd", right);
}
