// The limits of launches that the program reads are those of its GPU, until it sets others (CUDA
// C++ Programming Guide, "CUDA Dynamic Parallelism", Configuration Options).
// run: --set cdp.pending_launches=5 --set cdp.sync_depth=3
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

__global__ void count(int* counter) { atomicAdd(counter, 1); }
constexpr auto count_kernel = &count;
__global__ void flood(int* counter) {
  raddle::dynamic::launch(raddle::dynamic::Launch::device_kernel, count_kernel, 1, 1, 0, counter);
}

std::size_t limit(cudaLimit which) {
  std::size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, which));
  return value;
}

// All lanes of a warp launch before any of the launched kernels starts.
int launches_of_a_warp() {
  int* counter = to_device(std::vector<int>(1));
  flood<<<1, 32>>>(counter);
  return to_host(counter, 1)[0];
}

int main() {
  EXPECT_EQ(limit(cudaLimitDevRuntimePendingLaunchCount), 5);
  EXPECT_EQ(limit(cudaLimitDevRuntimeSyncDepth), 3);
  EXPECT_EQ(launches_of_a_warp(), 5);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 7));
  EXPECT_EQ(limit(cudaLimitDevRuntimePendingLaunchCount), 7);
  EXPECT_EQ(launches_of_a_warp(), 7);
  return finish();
}
