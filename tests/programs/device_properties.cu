// The device's properties agree with what kernels see.
#include <cstring>

#include "check.h"

__global__ void dimensions(int* out) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    out[0] = warpSize;
    out[1] = gridDim.x;
    out[2] = blockDim.x;
  }
}

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  cudaDeviceProp device;
  std::memset(&device, 0xcc, sizeof device);
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s, compute capability %d.%d\n", device.name, device.major, device.minor);
  EXPECT(std::strlen(device.name) > 0 && std::strlen(device.name) < 256);
  EXPECT(device.major >= 2 && device.major < 20);
  EXPECT_EQ(device.warpSize, 32);
  EXPECT_EQ(device.maxThreadsPerBlock, 1024);
  EXPECT_EQ(device.maxThreadsDim[2], 64);
  EXPECT_EQ(device.maxGridSize[1], 65535);
  EXPECT(device.multiProcessorCount > 0 && device.multiProcessorCount < 1000);
  EXPECT(device.totalGlobalMem >= (size_t{256} << 20));
  EXPECT(device.totalConstMem == 65536);
  EXPECT(device.l2CacheSize > 0);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT_EQ(value, device.multiProcessorCount);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT_EQ(value, device.major);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  EXPECT_EQ(value, device.sharedMemPerBlock);
  size_t free_bytes = 0, total_bytes = 0, free_after = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes <= total_bytes);
  device_array<char>(32 << 20);
  CHECK(cudaMemGetInfo(&free_after, &total_bytes));
  EXPECT(free_after + (32 << 20) <= free_bytes);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime >= 11000);
  int* const out = device_array<int>(3);
  dimensions<<<7, 48>>>(out);
  const auto seen = to_host(out, 3);
  EXPECT_EQ(seen[0], 32);
  EXPECT_EQ(seen[1], 7);
  EXPECT_EQ(seen[2], 48);
  return finish();
}
