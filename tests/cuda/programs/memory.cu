// Every kind of memory and copy.
#include <cstring>
#include <vector>

#include "check.h"

__constant__ int increments[4];
__device__ int counter = 40;
__managed__ int managed = 5;

__global__ void add(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += increments[i & 3];
  if (i == 0) {
    counter += 2;
    managed *= 3;
  }
}

int main() {
  const int steps[4] = {1, 2, 3, 4};
  int read[4] = {};
  EXPECT_OK(cudaMemcpyToSymbol(increments, steps, sizeof steps));
  EXPECT_OK(cudaMemcpyFromSymbol(read, increments, sizeof read));
  EXPECT(std::memcmp(read, steps, sizeof steps) == 0);

  const int n = 1000;
  int* values = nullptr;
  EXPECT_OK(cudaMalloc(&values, n * sizeof(int)));
  EXPECT_OK(cudaMemset(values, 0, n * sizeof(int)));
  add<<<4, 256>>>(values, n);
  std::vector<int> host(n);
  EXPECT_OK(cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == steps[i & 3]);
  int count = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT(count == 42);
  EXPECT(managed == 15);

  // Rows of 40 bytes at the device's pitch and back.
  unsigned char rows[10][40], back[10][40];
  for (int i = 0; i < 400; ++i) rows[i / 40][i % 40] = static_cast<unsigned char>(i);
  void* pitched = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&pitched, &pitch, 40, 10));
  EXPECT_OK(cudaMemcpy2D(pitched, pitch, rows, 40, 40, 10, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(back, 40, pitched, pitch, 40, 10, cudaMemcpyDeviceToHost));
  EXPECT(std::memcmp(rows, back, sizeof rows) == 0);

  // A kernel sees mapped host memory and managed memory at once.
  int *mapped = nullptr, *device = nullptr, *shared = nullptr;
  EXPECT_OK(cudaHostAlloc(&mapped, 16, cudaHostAllocMapped));
  EXPECT_OK(cudaHostGetDevicePointer(&device, mapped, 0));
  EXPECT_OK(cudaMallocManaged(&shared, 16));
  for (int i = 0; i < 4; ++i) mapped[i] = shared[i] = 10;
  add<<<1, 4>>>(device, 4);
  add<<<1, 4>>>(shared, 4);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) EXPECT(mapped[i] == 10 + steps[i] && shared[i] == 10 + steps[i]);

  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, values));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  EXPECT_CODE(cudaMemcpy(host.data(), values, 1 << 20, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
  // Sizes that no size_t holds are refused, not taken modulo 2^64.
  void* large = nullptr;
  EXPECT_CODE(cudaMallocPitch(&large, &pitch, 512, size_t{1} << 55), cudaErrorMemoryAllocation);
  // No pitch can be that wide (the code: NVIDIA H200, CUDA 13.0).
  EXPECT_CODE(cudaMallocPitch(&large, &pitch, ~size_t{0}, 1), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemset2D(values, size_t{1} << 60, 0, 16, 17), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy2D(values, size_t{1} << 60, rows, 1, 1, 17, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(values));
  EXPECT_CODE(cudaFree(values), cudaErrorInvalidValue);
  EXPECT_OK(cudaFreeHost(mapped));
  return failures;
}
