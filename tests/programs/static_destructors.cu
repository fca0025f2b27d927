// Objects that outlive main call CUDA in their constructors and destructors: global ones, static
// ones of functions, and thread-local ones, made before and after the first call of CUDA.
#include <thread>

#include "check.h"

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void first_used_at_the_end(int* values) { values[threadIdx.x] = threadIdx.x; }

struct Buffer {
  static constexpr int kCount = 32;
  explicit Buffer(bool at_once) {
    if (at_once) fill();
  }
  void fill() {
    CHECK(cudaMalloc(&values, kCount * sizeof(int)));
    CHECK(cudaMemset(values, 0, kCount * sizeof(int)));
  }
  ~Buffer() {
    if (values == nullptr) return;
    add<<<1, kCount>>>(values, 4);
    int found[kCount] = {};
    const bool copied =
        cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess;
    if (copied && found[kCount - 1] == 4) {
      first_used_at_the_end<<<1, kCount>>>(values);
      if (cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess &&
          found[kCount - 1] == kCount - 1 && cudaFree(values) == cudaSuccess) {
        return;
      }
    }
    std::puts("a destructor's calls had no effect");
    std::fflush(stdout);
    std::_Exit(1);
  }
  int* values = nullptr;
};

static Buffer at_once(true), later(false);
static thread_local Buffer of_thread(false);

static void use_more() {
  static Buffer in_function(true);
  of_thread.fill();
}

int main() {
  later.fill();
  use_more();
  std::thread(use_more).join();
  return finish();
}
