// cc: -lcuda -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// nvcc: --default-stream per-thread
// compiler: nvcc
// The driver API's calls when stream 0 is the thread's own: they do not wait for other streams.
#include <cuda.h>

#include "check.h"

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void raise_flag_when_told(volatile int* told, int* flag) {
  while (*told == 0) {
  }
  *flag = 1;
}

int main() {
  int* shared = nullptr;
  CHECK(cudaHostAlloc(reinterpret_cast<void**>(&shared), 2 * sizeof(int), cudaHostAllocMapped));
  shared[0] = shared[1] = 0;
  cudaStream_t legacy_partner;
  CHECK(cudaStreamCreate(&legacy_partner));
  raise_flag_when_told<<<1, 1, 0, legacy_partner>>>(shared, shared + 1);

  // With the one default stream of old, the copies would wait for the kernel, which waits for them.
  CUdeviceptr memory;
  CHECK_DRIVER(cuMemAlloc(&memory, 64));
  int values[16] = {};
  CHECK_DRIVER(cuMemsetD32Async(memory, 7, 16, nullptr));
  CHECK_DRIVER(cuMemcpyDtoHAsync(values, memory, 64, nullptr));
  CHECK_DRIVER(cuStreamSynchronize(nullptr));
  for (int value : values) EXPECT_EQ(value, 7);
  EXPECT_EQ(shared[1], 0);
  shared[0] = 1;
  CHECK(cudaStreamSynchronize(legacy_partner));
  EXPECT_EQ(shared[1], 1);
  CHECK_DRIVER(cuMemsetD32(memory, 9, 16));
  CHECK_DRIVER(cuMemcpyDtoH(values, memory, 64));
  for (int value : values) EXPECT_EQ(value, 9);
  return finish();
}
