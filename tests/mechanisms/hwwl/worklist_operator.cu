// Each work id of a list larger than the banks is processed once, by an operator with as many steps
// as the argument says (default 1). With refills on demand (hwwl.refill) a warp waits for all of its
// work ids, at intervals it does not.
// gpu: fermi-4core
// compiler: clang
// run: --with hwwl
#include <raddle/worklist.cuh>

#include "../../programs/check.h"

using List = raddle::worklist::Worklist<raddle::worklist::Hardware<>>;

__global__ void work(List::Device list, float* results, int steps) {
  list.for_each([&](std::uint32_t id) {
    float value = static_cast<float>(id);
    for (int i = 0; i < steps; ++i) value = value * 0.5f + 1;
    results[id] += value;
  });
}

int main(int argc, char** argv) {
  constexpr unsigned kIds = 65536;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1;
  float* results = nullptr;
  CHECK(cudaMalloc(&results, kIds * sizeof(float)));
  CHECK(cudaMemset(results, 0, kIds * sizeof(float)));
  List list(kIds);
  list.push_range(0, kIds);
  EXPECT_EQ(list.advance(), kIds);
  list.launch(work, 256, results, steps);
  EXPECT_EQ(list.advance(), 0u);
  std::vector<float> found(kIds);
  CHECK(cudaMemcpy(found.data(), results, kIds * sizeof(float), cudaMemcpyDeviceToHost));
  for (unsigned id = 0; id < kIds; ++id) {
    float expected = static_cast<float>(id);
    for (int i = 0; i < steps; ++i) expected = expected * 0.5f + 1;
    EXPECT_EQ_AT(id, found[id], expected);
  }
  return finish();
}
