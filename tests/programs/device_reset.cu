// cudaDeviceReset frees everything: later calls find a new device, except after a fault.
#include <cstdio>
#include <vector>

#include "check.h"

__device__ int counter = 5;
__constant__ int step = 3;
#ifdef __NVCC__  // clang has no __managed__
__managed__ int shared_with_host = 11;
__global__ void bump_managed() { ++shared_with_host; }
#endif

__global__ void count(int* out) {
  atomicAdd(&counter, step);
  *out = counter;
}
__global__ void wild(int* p) { *p = 1; }
__global__ void heap(bool* got) {
  // Never freed: only a reset gives it back.
  *got = malloc(3 << 20) != nullptr;
}

static int run_count() {
  int *out, host = 0;
  CHECK(cudaMalloc(&out, sizeof(int)));
  count<<<1, 1>>>(out);
  CHECK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
  return host;
}

int main() {
  size_t free_at_first, total, free_now;
  EXPECT(run_count() == 8);  // 5 + 3
  EXPECT(run_count() == 11);
  CHECK(cudaDeviceReset());

  // Variables have their initial values again, and no memory is in use.
  CHECK(cudaMemGetInfo(&free_at_first, &total));
  EXPECT(run_count() == 8);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CHECK(cudaDeviceReset());
  CHECK(cudaMemGetInfo(&free_now, &total));
  EXPECT(free_now == free_at_first);
#ifndef ON_HARDWARE  // which uses what was destroyed
  EXPECT(cudaStreamSynchronize(stream) != cudaSuccess);
  cudaGetLastError();
#endif
  size_t stack;
  CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  EXPECT(stack == 1024);

#ifdef __NVCC__
  bump_managed<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT(shared_with_host == 12);
  CHECK(cudaDeviceReset());
#ifndef ON_HARDWARE  // where the host's value lives on
  bump_managed<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT(shared_with_host == 12);
#endif
#endif

  // The heap is 8 MB: two of three such allocations fit, had the first two not gone.
  for (int round = 0; round < 3; ++round) {
    bool *got, host = false;
    CHECK(cudaMalloc(&got, 1));
    heap<<<1, 1>>>(got);
    heap<<<1, 1>>>(got);
    CHECK(cudaMemcpy(&host, got, 1, cudaMemcpyDeviceToHost));
    EXPECT(host);
    CHECK(cudaDeviceReset());
  }

  // A fault outlives a reset: the process has lost the device (NVIDIA H200, CUDA 13.0).
  wild<<<1, 1>>>(nullptr);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset());
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaSuccess);
  int* none = nullptr;
  EXPECT(cudaMalloc(&none, sizeof(int)) == cudaErrorDevicesUnavailable);
  EXPECT(cudaGetLastError() == cudaErrorDevicesUnavailable);
  EXPECT(cudaFree(nullptr) == cudaErrorDevicesUnavailable);
  EXPECT(cudaDeviceSynchronize() == cudaErrorDevicesUnavailable);
  CHECK(cudaDeviceReset());
  EXPECT(cudaMalloc(&none, sizeof(int)) == cudaErrorDevicesUnavailable);
  return finish();
}
