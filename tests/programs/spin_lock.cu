// gpu: v100
// A lock for which lanes of one warp compete. The program ends on GPUs with independent progress of
// lanes (Volta and later).
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
