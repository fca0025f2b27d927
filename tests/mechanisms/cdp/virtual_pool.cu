// Before CUDA 12, a launch beyond the limit of pending launches does not fail. It goes to a virtual
// pool, which is slower (CUDA C++ Programming Guide 11, "CUDA Dynamic Parallelism", Pending Kernel
// Launches).
// run: --set cdp.virtual_pool=true --set cdp.pending_launches=100
// with: dtbl
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::Launch;

__global__ void count(int* counter) { atomicAdd(counter, 1); }
constexpr auto count_kernel = &count;
__global__ void launch(Launch how, int* counter, int* errors) {
  if (raddle::dynamic::launch(how, count_kernel, 1, 1, 0, counter) != cudaSuccess) {
    atomicAdd(errors, 1);
  }
}

int main() {
  for (const Launch how : {Launch::device_kernel, Launch::aggregated_group}) {
    int* counts = to_device(std::vector<int>(2));
    launch<<<4, 128>>>(how, counts, counts + 1);
    const std::vector<int> found = to_host(counts, 2);
    EXPECT_EQ(found[0], 512);
    EXPECT_EQ(found[1], 0);
  }
  return finish();
}
