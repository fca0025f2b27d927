// %smid and %warpid tell where a warp is: no two warps are at one place at the same time, also with
// blocks of different sizes. %nsmid and %nwarpid tell how many places there are.
// runs: timed
// stays: a preempted block changes its place
#include <cuda_runtime.h>

#include "check.h"

__device__ int taken[256][64];
__device__ int shared_places;

__device__ unsigned sm() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

__device__ unsigned warp() {
  unsigned number;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(number));
  return number;
}

__global__ void stay(int cycles) {
  int& place = taken[sm()][warp()];
  if (threadIdx.x % 32 == 0 && atomicAdd(&place, 1) != 0) atomicAdd(&shared_places, 1);
  const long long since = clock64();
  while (clock64() - since < cycles * (1 + blockIdx.x % 7)) {
  }
  if (threadIdx.x % 32 == 0) atomicSub(&place, 1);
}

__global__ void count(unsigned* counts) {
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(counts[0]));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(counts[1]));
}

int main() {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  stay<<<400, 64, 0, streams[0]>>>(2000);
  stay<<<200, 256, 0, streams[1]>>>(3000);
  CHECK(cudaDeviceSynchronize());
  int found = -1;
  CHECK(cudaMemcpyFromSymbol(&found, shared_places, sizeof(found)));
  EXPECT(found == 0);
  unsigned* counts;
  CHECK(cudaMallocManaged(&counts, 2 * sizeof(unsigned)));
  count<<<1, 1>>>(counts);
  CHECK(cudaDeviceSynchronize());
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(counts[0] == static_cast<unsigned>(properties.multiProcessorCount));
  EXPECT(counts[1] == static_cast<unsigned>(properties.maxThreadsPerMultiProcessor / 32));
  return finish();
}
