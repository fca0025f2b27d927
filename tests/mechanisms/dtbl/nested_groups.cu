// Groups that launch: the launches of a group belong to the launcher of the group, not to the
// kernel that it joined. Their depth counts as that of a device kernel.
// nvcc: -rdc=true -lcudadevrt
// with: dtbl
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::launch;
using raddle::dynamic::Launch;

__device__ void wait(long long cycles) {
  const long long since = clock64();
  while (clock64() - since < cycles) {
  }
}

__global__ void grandchild(int* count) {
  wait(200000);
  if (threadIdx.x == 0) atomicAdd(count, 1);
}
constexpr auto grandchild_kernel = &grandchild;

/// Runs for a long time and does nothing (count: nullptr), or launches.
__global__ void child(int* count) {
  if (count == nullptr) return wait(1000000);
  if (threadIdx.x == 0) launch(Launch::device_kernel, grandchild_kernel, 1, 32, 0, count);
}
constexpr auto child_kernel = &child;

__global__ void parent(int* count) {
  if (threadIdx.x == 0) launch(Launch::aggregated_group, child_kernel, 1, 32, 0, count);
}

__global__ void look(const int* count, int* seen) { *seen = *count; }

/// Launches itself until it may not.
__global__ void deeper(int depth, int* deepest, int* error);
constexpr auto deeper_kernel = &deeper;
__global__ void deeper(int depth, int* deepest, int* error) {
  if (threadIdx.x != 0) return;
  *deepest = depth;
  if (depth == 40) return;
  const cudaError_t launched =
      launch(Launch::aggregated_group, deeper_kernel, 1, 32, 0, depth + 1, deepest, error);
  if (launched != cudaSuccess) *error = launched;
}

int main() {
  int* values;
  CHECK(cudaMallocManaged(&values, 4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) values[i] = 0;
  cudaStream_t ours, other;
  CHECK(cudaStreamCreateWithFlags(&ours, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  // The group joins the kernel in the other stream; ours goes on when the grandchild has ended.
  child<<<1, 32, 0, other>>>(nullptr);
  parent<<<1, 32, 0, ours>>>(values);
  look<<<1, 1, 0, ours>>>(values, values + 1);
  CHECK(cudaDeviceSynchronize());
  EXPECT(values[1] == 1);
  deeper<<<1, 32>>>(0, values + 2, values + 3);
  CHECK(cudaDeviceSynchronize());
  // Groups nest 24 levels deep, as device kernels of the first version do (CUDA's programming guide).
  const bool to_limit = values[2] == 24 && values[3] == cudaErrorLaunchMaxDepthExceeded;
#ifdef RADDLE_DYNAMIC_SECOND_VERSION
  // Without the hardware for groups they are kernels of the second, which 40 levels do not bring to a
  // limit (NVIDIA H200, CUDA 13.0).
  EXPECT(to_limit || (values[2] == 40 && values[3] == cudaSuccess));
#else
  EXPECT(to_limit);
#endif
  return finish();
}
