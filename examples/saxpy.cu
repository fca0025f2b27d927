// y = a x + y, the first program of many CUDA courses.
//   ./raddle cc examples/saxpy.cu -o /tmp/saxpy && ./raddle run /tmp/saxpy
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  constexpr int n = 100000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1.0f;
  }

  float *device_x = nullptr, *device_y = nullptr;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, device_x, device_y);
  cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);

  for (int i = 0; i < n; ++i) {
    if (std::fabs(y[i] - (2.0f * static_cast<float>(i) + 1.0f)) > 1e-3f) {
      std::printf("wrong at %d: %f\n", i, y[i]);
      return 1;
    }
  }
  std::printf("saxpy of %d elements is right\n", n);
  return 0;
}
