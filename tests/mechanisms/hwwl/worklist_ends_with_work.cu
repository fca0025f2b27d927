// Work ids that are left in memory when a hardware list ends are dropped. They are not loaded into
// banks, from freed memory, while another kernel runs.
// gpu: fermi-4core
// compiler: clang
// run: --with hwwl --set hwwl.refill_interval=3000
#include <raddle/worklist.cuh>

#include "../../programs/check.h"

using List = raddle::worklist::Worklist<raddle::worklist::Hardware<>>;

/// Over before banks are refilled.
__global__ void pull_some(List::Device list) {
  auto worker = list.worker();
  for (int i = 0; i < 8; ++i) worker.pull();
}
__global__ void count_up(unsigned* words, unsigned count) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = first; i < count; i += gridDim.x * blockDim.x) words[i] += i;
}

int main() {
  constexpr unsigned kWords = 1 << 18, kIds = 50000;
  unsigned* words = nullptr;
  CHECK(cudaMalloc(&words, kWords * sizeof(unsigned)));
  CHECK(cudaMemset(words, 0, kWords * sizeof(unsigned)));
  {
    List list(kIds);
    list.push_range(0, kIds);
    EXPECT_EQ(list.advance(), kIds);
    list.launch(pull_some, 64);
    const unsigned left = list.size();
    EXPECT(left > 0 && left < kIds);
  }
  count_up<<<16, 256>>>(words, kWords);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> found(kWords);
  CHECK(cudaMemcpy(found.data(), words, kWords * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < kWords; ++i) EXPECT_EQ_AT(i, found[i], i);
  return finish();
}
