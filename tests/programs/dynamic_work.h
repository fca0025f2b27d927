// A program of raddle/dynamic_work.cuh. Its results must be the same with and without a device
// runtime: sizes of subtrees, blocks of three dimensions, barriers of threads, refused launches.
#include <raddle/dynamic_work.cuh>

#include "check.h"

using raddle::dynamic::Launch;

struct Mark {
  double value;  // wants an alignment
  int* out;
  int first;
  template <class At>
  __device__ void operator()(const At& at) const {
    const unsigned t = at.thread.x + at.threads.x * (at.thread.y + at.threads.y * at.thread.z);
    const unsigned b = at.block.x + at.blocks.x * (at.block.y + at.blocks.y * at.block.z);
    __shared__ int shared[64];
    shared[t] = static_cast<int>(t + b);
    at.sync();
    atomicAdd(&out[first + b * 64 + t], shared[63 - t] + static_cast<int>(value));
  }
};

struct Tree {
  int* nodes;
  int node, leaves;
  template <class At>
  __device__ void operator()(const At& at) const {
    if (at.thread.x == 0) atomicAdd(&nodes[node], 1);
    if (node >= leaves || at.thread.x >= 2) return;
    at.launch(1, 40, Tree{nodes, 2 * node + static_cast<int>(at.thread.x), leaves});
  }
};

struct Root {
  int* out;
  int* errors;
  template <class At>
  __device__ void operator()(const At& at) const {
    if (at.thread.x % 32 != 5) return;
    const int which = static_cast<int>(at.block.x * 2 + at.thread.x / 32);
    const cudaError_t error =
        at.launch(dim3(2, 1, 3), dim3(4, 8, 2), Mark{2.5, out, which * 6 * 64});
    const cudaError_t none = at.launch(0, 32, Mark{0, out, 0});
    if (error != cudaSuccess || none == cudaSuccess) atomicAdd(errors, 1);
  }
};

int main() {
  for (const Launch how : {Launch::device_kernel, Launch::aggregated_group}) {
    raddle::dynamic::Launcher<Root, Mark, Tree> launcher(how, 64);
    constexpr int kRoots = 10, kLaunches = 2 * kRoots, kLeaves = 64;
    int* out = to_device(std::vector<int>(kLaunches * 6 * 64));
    int* errors = to_device(std::vector<int>(1));
    int* nodes = to_device(std::vector<int>(2 * kLeaves));
    CHECK(launcher.run(kRoots, 64, Root{out, errors}));
    CHECK(launcher.run(1, 40, Tree{nodes, 1, kLeaves}));
    CHECK(launcher.run(1, 40, Tree{nodes, 1, kLeaves}));
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(to_host(errors, 1)[0], 0);
    const std::vector<int> found = to_host(out, kLaunches * 6 * 64);
    for (int i = 0; i < kLaunches * 6 * 64; ++i) {
      EXPECT_EQ_AT(i, found[i], 63 - i % 64 + i / 64 % 6 + 2);
    }
    const std::vector<int> visits = to_host(nodes, 2 * kLeaves);
    for (int n = 1; n < 2 * kLeaves; ++n) EXPECT_EQ_AT(n, visits[n], 2);
  }
  return finish();
}
