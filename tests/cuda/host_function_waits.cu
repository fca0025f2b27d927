// A host function of a stream waits some seconds for a thread that is in a CUDA call.
#include <unistd.h>

#include <atomic>
#include <thread>

static std::atomic<bool> made{false};

int main() {
  cudaFree(nullptr);
  std::thread other([] {
    usleep(300'000);  // until the host function runs
    void* memory = nullptr;
    if (cudaMalloc(&memory, 4) == cudaSuccess) made = true;
  });
  const auto waits = [](void*) {
    for (int i = 0; i < 50 && !made; ++i) usleep(100'000);
  };
  cudaLaunchHostFunc(nullptr, waits, nullptr);
  cudaDeviceSynchronize();
  other.join();
  return made ? 0 : 1;
}
