// Occupancy queries agree with the limits of the device.
#include <algorithm>

#include "check.h"

__global__ void plain(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void with_shared(int* out) {
  __shared__ int values[4096];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

// The caller's values and the function's exceed 32 registers together, which is all that the bounds
// leave where a multiprocessor has 65,536.
__device__ __noinline__ int mixed(const int* in, int seed) {
  int values[24], sum = 0;
#pragma unroll
  for (int i = 0; i < 24; ++i) values[i] = in[(seed + i) % 32];
#pragma unroll
  for (int i = 0; i < 24; ++i) sum = sum * values[i] + values[(i * 7) % 24];
  return sum;
}
__global__ void __launch_bounds__(1024, 2) bounded(const int* in, int* out) {
  int values[20];
#pragma unroll
  for (int i = 0; i < 20; ++i) values[i] = in[threadIdx.x + i];
  const int between = mixed(in, values[0]);
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 20; ++i) sum = sum * between + values[i];
  out[threadIdx.x] = sum;
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
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(2 * 1024 * attributes.numRegs <= device.regsPerMultiprocessor);
  return finish();
}
