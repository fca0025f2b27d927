// cudaDeviceSynchronize in a kernel: afterwards the block's children have ended, and their writes
// are visible.
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

// Waiting blocks fill the GPU, and its kernel distributor: they make room for those for whom they
// wait. Each node of a tree waits for the three below it; its shared memory is there afterwards.
__global__ void tree(int* sums, int node, int levels);
constexpr auto tree_kernel = &tree;
__global__ void tree(int* sums, int node, int levels) {
  __shared__ int below[3];
  if (threadIdx.x < 3) below[threadIdx.x] = 3 * node + 1 + static_cast<int>(threadIdx.x);
  __syncthreads();
  if (levels != 0 && threadIdx.x < 3) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    raddle::dynamic::launch_in(stream, tree_kernel, 1, 512, 0, sums, below[threadIdx.x],
                               levels - 1);
    cudaStreamDestroy(stream);
  }
  __syncthreads();
  if (threadIdx.x != 100) return;  // another warp than the one that launched
  cudaDeviceSynchronize();
  int sum = 1;
  for (int child = 0; levels != 0 && child < 3; ++child) sum += sums[below[child]];
  sums[node] = sum;
}

void full_machine() {
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 6));
  constexpr int kNodes = 1 + 3 + 9 + 27 + 81;
  int* sums = to_device(std::vector<int>(kNodes));
  tree<<<1, 512>>>(sums, 0, 4);
  const std::vector<int> found = to_host(sums, kNodes);
  EXPECT_EQ(found[0], kNodes);
  EXPECT_EQ(found[1], 1 + 3 + 9 + 27);
  for (int leaf = 1 + 3 + 9 + 27; leaf < kNodes; ++leaf) EXPECT_EQ_AT(leaf, found[leaf], 1);
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
  full_machine();
  return finish();
}
