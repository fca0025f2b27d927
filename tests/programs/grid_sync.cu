// A cooperative launch with a barrier over the whole grid, if the device supports it.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void rotate(int* a, int* b, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int count = static_cast<int>(grid.size());
  const int i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    b[(i + 1) % count] = a[i] + 1;
    grid.sync();
    int* const swap = a;
    a = b;
    b = swap;
  }
}

int main() {
  int blocks = 6, threads = 96, rounds = 5;
  const int count = blocks * threads;
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i) in[i] = 10 * i;
  int* a = to_device(in);
  int* b = device_array<int>(count);
  void* arguments[] = {&a, &b, &rounds};
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  const cudaError_t status = cudaLaunchCooperativeKernel(
      reinterpret_cast<void*>(rotate), dim3(blocks), dim3(threads), arguments, 0, nullptr);
  if (!supported) {
    EXPECT(status == cudaErrorNotSupported);
    return finish();
  }
  CHECK(status);
  const auto out = to_host(b, count);  // an odd number of rounds ends in b
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ_AT(i, out[i], 10 * ((i - rounds + count) % count) + rounds);
  }
  return finish();
}
