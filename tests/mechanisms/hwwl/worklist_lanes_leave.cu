// Lanes that leave the loop with a work id wait for the other lanes of their warp. Those get the
// work ids in the banks of the lanes that have left.
// gpu: fermi-4core
// compiler: clang
// run: --with hwwl --set gpu.max_cycles=10000000
#include <raddle/worklist.cuh>

#include "../../programs/check.h"

using List = raddle::worklist::Worklist<raddle::worklist::Hardware<>>;

__global__ void pull_one(List::Device list, unsigned* pulled) {
  auto worker = list.worker();
  for (unsigned id; (id = worker.pull()) != raddle::worklist::kDone;) {
    if (id == raddle::worklist::kWait) continue;
    atomicAdd(&pulled[id], 1u);
    break;
  }
}

int main() {
  constexpr unsigned kIds = 64, kThreads = 32;
  unsigned* pulled = nullptr;
  CHECK(cudaMalloc(&pulled, kIds * sizeof(unsigned)));
  CHECK(cudaMemset(pulled, 0, kIds * sizeof(unsigned)));
  List list(kIds);
  list.push_range(0, kIds);
  EXPECT_EQ(list.advance(), kIds);
  pull_one<<<kIds / kThreads, kThreads>>>(list.device(), pulled);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(list.size(), 0u);
  std::vector<unsigned> found(kIds);
  CHECK(cudaMemcpy(found.data(), pulled, kIds * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned id = 0; id < kIds; ++id) EXPECT_EQ_AT(id, found[id], 1u);
  return finish();
}
