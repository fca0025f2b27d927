// Host memory that kernels read and write in place: mapped and registered.
#include "check.h"

__global__ void increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += i;
}

int main() {
  const int count = 100;
  int* host;
  CHECK(cudaHostAlloc(&host, count * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < count; ++i) host[i] = 1000;
  int* device;
  CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  increment<<<1, 128>>>(device, count);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, host[i], 1000 + i);

  std::vector<int> own(count, 5);
  CHECK(cudaHostRegister(own.data(), count * sizeof(int), cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), own.data(), 0));
  increment<<<1, 128>>>(device, count);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, own[i], 5 + i);
  CHECK(cudaHostUnregister(own.data()));

  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, host));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  CHECK(cudaFreeHost(host));
  return finish();
}
