// Prints its process number, and fills the GPU with a kernel that never ends. With an argument it
// then kills itself.
#include <unistd.h>

#include <csignal>
#include <cstdio>

__global__ void endless(volatile int* p) {
  while (*p == 0) {
  }
}

int main(int argc, char**) {
  int* memory = nullptr;
  if (cudaMalloc(&memory, 4096) != cudaSuccess) return 1;
  cudaMemset(memory, 0, 4096);
  cudaDeviceSynchronize();
  endless<<<640, 256>>>(memory);
  cudaStreamQuery(nullptr);
  std::printf("process %d\n", getpid());
  std::fflush(stdout);
  if (argc > 1) kill(getpid(), SIGKILL);
  // As if the host went on: nobody can take this for a deadlock.
  for (int i = 0; i < 1'000'000; ++i) cudaStreamQuery(nullptr);
  return 1;
}
