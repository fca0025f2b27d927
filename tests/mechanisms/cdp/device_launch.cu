// Kernels that launch kernels, with one source for both compilers: parameters of every alignment,
// nesting, the order of a block's NULL stream, the implicit join, errors.
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::Launch;

struct Pair {
  char tag;
  double value;
};

__global__ void store(char a, short b, int* out, Pair pair, bool c, long long d) {
  const unsigned i = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y;
  const bool right = a == 'a' && b == -300 && pair.tag == 'p' && pair.value == 2.5 && c &&
                     d == -(1ll << 40) && gridDim.y == 3;
  atomicAdd(&out[i * 64 + t], right ? 1 : 1000);
}
constexpr auto store_kernel = &store;

__global__ void launch_store(Launch how, int* out) {
  // Lanes 3 and 17 of each warp launch; 2 x 3 blocks of 16 x 4 threads.
  if (threadIdx.x % 32 != 3 && threadIdx.x % 32 != 17) return;
  const cudaError_t error =
      raddle::dynamic::launch(how, store_kernel, dim3(2, 3), dim3(16, 4), 0, 'a', -300, out,
                              Pair{'p', 2.5}, true, -(1ll << 40));
  if (error != cudaSuccess) atomicAdd(&out[0], 1000000);
}

void parameters(Launch how) {
  int* out = to_device(std::vector<int>(6 * 64));
  launch_store<<<2, 96>>>(how, out);
  const std::vector<int> found = to_host(out, 6 * 64);
  // Two lanes of three warps of two blocks.
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ_AT(static_cast<long>(i), found[i], 12);
}

// A tree: each block launches two below it; what is written at the leaves is there when the
// outermost kernel has ended.
__global__ void tree(Launch how, int* nodes, int node, int leaves);
constexpr auto tree_kernel = &tree;
__global__ void tree(Launch how, int* nodes, int node, int leaves) {
  if (threadIdx.x == 0) atomicAdd(&nodes[node], 1);
  if (node >= leaves || threadIdx.x >= 2) return;
  raddle::dynamic::launch(how, tree_kernel, 1, 64, 0, how, nodes,
                          2 * node + static_cast<int>(threadIdx.x), leaves);
}

void nesting(Launch how) {
  constexpr int kLeaves = 64;
  int* nodes = to_device(std::vector<int>(2 * kLeaves));
  tree<<<1, 64>>>(how, nodes, 1, kLeaves);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> found = to_host(nodes, 2 * kLeaves);
  for (int n = 1; n < 2 * kLeaves; ++n) EXPECT_EQ_AT(n, found[n], 1);
}

// Kernels in one NULL stream run one after the other.
__global__ void append(int* list, int* length, int value) { list[(*length)++] = value; }
constexpr auto append_kernel = &append;
__global__ void launch_in_order(int* list, int* length) {
  for (int i = 0; i < 10; ++i) {
    raddle::dynamic::launch_in(nullptr, append_kernel, 1, 1, 0, list, length, i);
  }
}

void order() {
  int* list = to_device(std::vector<int>(10, -1));
  int* length = to_device(std::vector<int>(1));
  launch_in_order<<<1, 1>>>(list, length);
  const std::vector<int> found = to_host(list, 10);
  for (int i = 0; i < 10; ++i) EXPECT_EQ_AT(i, found[i], i);
}

// Blocks of 4096 threads there are none; the thread remembers the error until it is asked for.
__global__ void refused(int* errors) {
  errors[0] = raddle::dynamic::launch_in(nullptr, append_kernel, 1, 4096, 0, nullptr, nullptr, 0);
  errors[1] = cudaPeekAtLastError();
  errors[2] = cudaGetLastError();
  errors[3] = cudaGetLastError();
}

// Levels of grids below the first: the first version of the calls allows 24, the second (CUDA 12, and
// compute capability 9.0) as many as may be pending (NVIDIA H200, CUDA 13.0).
#ifdef RADDLE_DYNAMIC_SECOND_VERSION
constexpr int kDeepest = 2048;
constexpr cudaError_t kTooDeep = cudaErrorLaunchPendingCountExceeded;
#else
constexpr int kDeepest = 24;
constexpr cudaError_t kTooDeep = cudaErrorLaunchMaxDepthExceeded;
#endif
__global__ void deep(int* reached, int level);
constexpr auto deep_kernel = &deep;
__global__ void deep(int* reached, int level) {
  reached[0] = level;
  reached[1] = raddle::dynamic::launch_in(nullptr, deep_kernel, 1, 1, 0, reached, level + 1);
}

void errors() {
  int* codes = to_device(std::vector<int>(4));
  refused<<<1, 1>>>(codes);
  std::vector<int> found = to_host(codes, 4);
  EXPECT_EQ(found[0], cudaErrorInvalidConfiguration);
  EXPECT_EQ(found[1], cudaErrorInvalidConfiguration);
  EXPECT_EQ(found[2], cudaErrorInvalidConfiguration);
  EXPECT_EQ(found[3], cudaSuccess);
  deep<<<1, 1>>>(codes, 0);
  found = to_host(codes, 4);
  EXPECT_EQ(found[0], kDeepest);
  EXPECT_EQ(found[1], kTooDeep);
}

// More launches than can be pending: the rest fails, and what did not is carried out.
__global__ void count(int* counter) { atomicAdd(counter, 1); }
constexpr auto count_kernel = &count;
__global__ void flood(int* counter, int* failed) {
  const cudaError_t error =
      raddle::dynamic::launch(Launch::device_kernel, count_kernel, 1, 1, 0, counter);
  if (error == cudaErrorLaunchPendingCountExceeded) atomicAdd(failed, 1);
}

void pending() {
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100));
  int* counters = to_device(std::vector<int>(2));
  flood<<<1, 256>>>(counters, counters + 1);
  const std::vector<int> found = to_host(counters, 2);
  EXPECT(found[1] > 0);
  EXPECT_EQ(found[0] + found[1], 256);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

int main() {
  for (const Launch how : {Launch::device_kernel, Launch::aggregated_group}) {
    parameters(how);
    nesting(how);
  }
  order();
  errors();
  pending();
  return finish();
}
