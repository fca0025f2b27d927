// varies: the host, which computes in its own time, polls
// gpu: v100
// A host loop that polls mapped memory without calls of CUDA ends. So does an exchange of messages
// between host and kernel through such memory.
#include "check.h"

__global__ void answer(volatile int* flag, int value) {
  for (volatile int i = 0; i < 1000; ++i) {
  }
  *flag = value;
}

__global__ void converse(volatile int* question, volatile int* reply, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    while (*question != round) {
    }
    *reply = 10 * round;
    __threadfence_system();
  }
}

int main() {
  volatile int* shared;
  CHECK(cudaHostAlloc((void**)&shared, 2 * sizeof(int), cudaHostAllocMapped));
  shared[0] = shared[1] = 0;
  answer<<<1, 1>>>(shared, 42);
  while (shared[0] == 0) {
  }
  EXPECT(shared[0] == 42);
  CHECK(cudaDeviceSynchronize());

  shared[0] = shared[1] = 0;
  const int rounds = 4;
  converse<<<1, 1>>>(shared, shared + 1, rounds);
  for (int round = 1; round <= rounds; ++round) {
    shared[0] = round;
    while (shared[1] != 10 * round) {
    }
  }
  CHECK(cudaDeviceSynchronize());

  volatile int* managed;
  CHECK(cudaMallocManaged((void**)&managed, sizeof(int)));
  *managed = 0;
  answer<<<1, 1>>>(managed, 7);
  while (*managed == 0) {
  }
  EXPECT(*managed == 7);
  return finish();
}
