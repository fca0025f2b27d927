// cudaDeviceSynchronize in a kernel: the block's children have ended, and what they wrote is seen.
// nvcc: -rdc=true -lcudadevrt -DCUDA_FORCE_CDP1_IF_SUPPORTED
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

__global__ void square(int* values, int first) {
  const int i = first + static_cast<int>(threadIdx.x);
  values[i] = i * i;
}
constexpr auto square_kernel = &square;

__global__ void sum_of_squares(int* values, long long* sums) {
  const int first = static_cast<int>(blockIdx.x) * 64;
  if (threadIdx.x == 0) {
    raddle::dynamic::launch_in(nullptr, square_kernel, 1, 64, 0, values, first);
    cudaDeviceSynchronize();
  }
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned long long*>(&sums[blockIdx.x]),
            static_cast<unsigned long long>(values[first + static_cast<int>(threadIdx.x)]));
}

// The third level of grids may not wait, unless the program asks for it.
__global__ void wait_at(int level, int* codes);
constexpr auto wait_kernel = &wait_at;
__global__ void wait_at(int level, int* codes) {
  if (level < 3) raddle::dynamic::launch_in(nullptr, wait_kernel, 1, 1, 0, level + 1, codes);
  codes[level] = cudaDeviceSynchronize();
}

int main() {
  constexpr int kBlocks = 20;
  int* values = device_array<int>(64 * kBlocks);
  long long* sums = to_device(std::vector<long long>(kBlocks));
  sum_of_squares<<<kBlocks, 64>>>(values, sums);
  const std::vector<long long> found = to_host(sums, kBlocks);
  for (int b = 0; b < kBlocks; ++b) {
    long long expected = 0;
    for (long long i = 64 * b; i < 64 * (b + 1); ++i) expected += i * i;
    EXPECT_EQ_AT(b, found[b], expected);
  }
  int* codes = to_device(std::vector<int>(4, -1));
  wait_at<<<1, 1>>>(0, codes);
  std::vector<int> code = to_host(codes, 4);
  EXPECT_EQ(code[0], cudaSuccess);
  EXPECT_EQ(code[1], cudaSuccess);
  EXPECT_EQ(code[2], cudaErrorSyncDepthExceeded);
  EXPECT_EQ(code[3], cudaErrorSyncDepthExceeded);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
  wait_at<<<1, 1>>>(0, codes);
  code = to_host(codes, 4);
  for (int level = 0; level < 4; ++level) EXPECT_EQ_AT(level, code[level], cudaSuccess);
  return finish();
}
