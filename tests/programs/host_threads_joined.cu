// varies: host threads, each in its own time
// gpu: v100
// stays: while blocks are preempted at random, warps are not seen to wait for ever
// Two host threads wait for a kernel that waits for ever, and others wait for them in join(): no
// thread is left that could end it. That is a deadlock, and all threads that wait for the kernel
// get the error.
#include <atomic>
#include <thread>

#include "check.h"

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

std::atomic<int> told{0};

void wait() {
  if (cudaDeviceSynchronize() == cudaErrorLaunchTimeout) ++told;
}

int main() {
  int* const flag = device_array<int>(1);
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  wait_for<<<1, 1>>>(flag);
  std::thread first(wait), second(wait);
  std::thread joins_one([&] { first.join(); });
  joins_one.join();
  second.join();
  EXPECT_EQ(told.load(), 2);
  return finish();
}
