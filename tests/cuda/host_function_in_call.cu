// A host function in an idle stream waits some seconds for the thread that launched it.
#include <unistd.h>

#include <atomic>

static std::atomic<bool> launched{false};

int main() {
  cudaFree(nullptr);
  const auto waits = [](void*) {
    for (int i = 0; i < 35 && !launched; ++i) usleep(100'000);
  };
  cudaLaunchHostFunc(nullptr, waits, nullptr);
  launched = true;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
