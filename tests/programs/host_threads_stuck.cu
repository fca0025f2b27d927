// varies: two host threads, each in its own time
// gpu: v100
// stays: while blocks are preempted at random, warps are not seen to wait for ever
// All host threads wait for a kernel that waits for ever. That is a deadlock, and both get the
// error.
#include <thread>

#include "check.h"

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main() {
  int* const flag = device_array<int>(1);
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  wait_for<<<1, 1>>>(flag);
  std::thread([] {
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    if (failures == 0) std::quick_exit(finish());
  }).detach();
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}
