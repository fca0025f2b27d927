// Occupancy queries agree with the device's own limits.
#include <algorithm>

#include "check.h"

__global__ void plain(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void with_shared(int* out) {
  __shared__ int values[4096];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0));
  EXPECT_EQ(blocks, device.maxThreadsPerMultiProcessor / 1024);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0));
  EXPECT_EQ(blocks,
            std::min(device.maxBlocksPerMultiProcessor, device.maxThreadsPerMultiProcessor / 32));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 64, 0));
  EXPECT(blocks >= 1);
  EXPECT(blocks <= static_cast<int>(device.sharedMemPerMultiprocessor / 16384));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 64, 16384));
  EXPECT(blocks <= static_cast<int>(device.sharedMemPerMultiprocessor / 32768));
  int least_grid = 0, block_size = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block_size, plain, 0, 0));
  EXPECT(block_size > 0 && block_size <= device.maxThreadsPerBlock && block_size % 32 == 0);
  EXPECT(least_grid >= device.multiProcessorCount);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block_size, plain, 0, 100));
  EXPECT(block_size <= 100);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, with_shared));
  EXPECT_EQ(attributes.sharedSizeBytes, 16384);
  EXPECT(attributes.numRegs > 0);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  return finish();
}
