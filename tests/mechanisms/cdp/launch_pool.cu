// How many launches may be pending (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", Pending
// Kernel Launches). Device kernels and aggregated groups both count, with and without timing. A
// launch takes longer than such a kernel runs. So calls one after the other never fill the pool,
// but calls of many warps at the same time do.
// with: dtbl
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::Launch;

constexpr int kLimit = 256;

__global__ void count(int* counter) { atomicAdd(counter, 1); }
constexpr auto count_kernel = &count;
__global__ void slow(int* counter, const int* cycles) {
  for (const long long start = clock64(); clock64() - start < *cycles;) {
  }
  atomicAdd(counter, 1);
}
constexpr auto slow_kernel = &slow;

struct Counts {
  int ran, refused;
};

__global__ void launch(Launch how, int calls, Counts* counts) {
  for (int i = 0; i < calls; ++i) {
    const cudaError_t error = raddle::dynamic::launch(how, count_kernel, 1, 1, 0, &counts->ran);
    if (error == cudaErrorLaunchPendingCountExceeded) atomicAdd(&counts->refused, 1);
  }
}
// Kernels that outlast all the calls.
__global__ void launch_slow(Launch how, const int* cycles, Counts* counts) {
  const cudaError_t error =
      raddle::dynamic::launch(how, slow_kernel, 1, 1, 0, &counts->ran, cycles);
  if (error == cudaErrorLaunchPendingCountExceeded) atomicAdd(&counts->refused, 1);
}

template <class Run>
Counts counted(Run run) {
  Counts* counts = to_device(std::vector<Counts>(1));
  run(counts);
  return to_host(counts, 1)[0];
}

int main() {
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, kLimit));
  int* cycles = to_device(std::vector<int>{100'000});
  for (const Launch how : {Launch::device_kernel, Launch::aggregated_group}) {
    Counts found = counted([&](Counts* counts) { launch<<<1, 1>>>(how, 400, counts); });
    EXPECT_EQ(found.ran, 400);
    EXPECT_EQ(found.refused, 0);
    found = counted([&](Counts* counts) { launch<<<1, 64>>>(how, 10, counts); });
    EXPECT_EQ(found.ran, 640);
    EXPECT_EQ(found.refused, 0);
    found = counted([&](Counts* counts) { launch_slow<<<4, 128>>>(how, cycles, counts); });
    EXPECT_EQ(found.ran, kLimit);
    EXPECT_EQ(found.refused, 512 - kLimit);
  }
  return finish();
}
