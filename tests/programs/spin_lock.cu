// gpu: v100
// A lock that lanes of one warp fight for: ends where lanes make progress of their own (Volta on).
#include "check.h"

__global__ void count(int* lock, volatile int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int* const lock = to_device<int>({0});
  int* const counter = to_device<int>({0});
  count<<<2, 64>>>(lock, counter);
  EXPECT_EQ(to_host(counter, 1)[0], 128);
  return finish();
}
