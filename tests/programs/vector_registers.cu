// CUDA calls leave the upper halves of the host's vector registers zero. Otherwise the program's
// code in the older encoding (such as libm's) would take tens of times as long after them.
#include <cuda_runtime.h>

#include "check.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace {

__global__ void add(int* value) { ++*value; }

#if defined(__x86_64__)
bool can_tell() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(0xd, 1, &a, &b, &c, &d) != 0 && (a & 4) != 0;
}
/// XINUSE (Intel SDM 1, 13.6): the parts of the state that are not as they were at the start.
bool upper_halves_in_use() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  static_cast<void>(high);
  return (low & 4) != 0;
}
#else
bool can_tell() { return false; }
bool upper_halves_in_use() { return false; }
#endif

template <class Call>
void after(const char* what, Call call) {
#if defined(__x86_64__)
  asm volatile("vzeroupper" ::: "memory");
#endif
  const cudaError_t status = call();
  const bool in_use = upper_halves_in_use();
  CHECK(status);
  if (in_use) std::printf("after %s:\n", what);
  EXPECT(!in_use);
}

}  // namespace

int main() {
  if (!can_tell()) return finish();  // on this processor
  int host[1024] = {}, *device = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  after("cudaMalloc", [&] { return cudaMalloc(&device, sizeof(host)); });
  after("cudaStreamCreate", [&] { return cudaStreamCreate(&stream); });
  after("cudaEventCreate", [&] { return cudaEventCreate(&event); });
  after("cudaMemcpy", [&] { return cudaMemcpy(device, host, sizeof(host), cudaMemcpyDefault); });
  after("cudaMemcpyAsync",
        [&] { return cudaMemcpyAsync(device, host, 4, cudaMemcpyDefault, stream); });
  after("cudaMemset", [&] { return cudaMemset(device, 0, sizeof(host)); });
  after("a launch", [&] {
    add<<<1, 32, 0, stream>>>(device);
    return cudaGetLastError();
  });
  after("cudaEventRecord", [&] { return cudaEventRecord(event, stream); });
  after("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
  after("cudaDeviceSynchronize", [&] { return cudaDeviceSynchronize(); });
  after("cudaFree", [&] { return cudaFree(device); });
  return finish();
}
