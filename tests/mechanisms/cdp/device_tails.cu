// Tails of tails: a grid's tail runs after the grid and all its children, but before later work in
// the grid's stream. Tails of a grid run one after the other, each with everything that it launches
// (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", The Tail Launch Stream).
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include "../../programs/check.h"

struct Log {
  int* entries;
  int* count;
  __device__ void add(int value) const { entries[atomicAdd(count, 1)] = value; }
};

__global__ void note(Log log, int value) { log.add(value); }
__global__ void note_late(Log log, int value) {
  for (const long long start = clock64(); clock64() - start < 30000;) {
  }
  log.add(value);
}

__global__ void inner(Log log) {
  note_late<<<1, 1>>>(log, 5);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 6);
  log.add(4);
}
__global__ void middle(Log log) {
  log.add(2);
  inner<<<1, 1, 0, cudaStreamTailLaunch>>>(log);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 7);
  note_late<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 3);
}
__global__ void outer(Log log, int* copied) {
  middle<<<1, 1, 0, cudaStreamTailLaunch>>>(log);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 8);
  cudaMemcpyAsync(copied, log.count, sizeof(int), cudaMemcpyDeviceToDevice, cudaStreamTailLaunch);
  note_late<<<1, 1>>>(log, 1);
}
__global__ void first(Log log, int* copied) {
  outer<<<1, 1>>>(log, copied);
  note<<<1, 1>>>(log, 9);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 10);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 11);
}

// A loop on the device, longer than launches may be outstanding: each step is alone.
__global__ void step(int* steps, int left) {
  *steps += 1;
  if (left > 1) step<<<1, 1, 0, cudaStreamTailLaunch>>>(steps, left - 1);
}

int main() {
  const Log log{to_device(std::vector<int>(16)), to_device(std::vector<int>(1))};
  int* copied = device_array<int>(1);
  first<<<1, 1>>>(log, copied);
  note<<<1, 1>>>(log, 12);
  const std::vector<int> found = to_host(log.entries, 16);
  for (int i = 0; i < 12; ++i) EXPECT_EQ_AT(i, found[i], i + 1);
  EXPECT_EQ(to_host(copied, 1)[0], 8);

  int* steps = to_device(std::vector<int>(1));
  step<<<1, 1>>>(steps, 5000);
  EXPECT_EQ(to_host(steps, 1)[0], 5000);
  return finish();
}
