// stays: it measures time
// Banks of shared memory of 4 and of 8 bytes (cudaDeviceSetSharedMemConfig): by default 4. Words 2k
// of 64 words and words 2k + 1 of the next 64 words lie in the same rows of 8 bytes, but in
// different banks of 4 bytes (CUDA C Programming Guide, Compute Capability 3.x): so only the 8-byte
// mode takes two passes.
#include "check.h"

__global__ void load(unsigned* cycles, unsigned* sum) {
  __shared__ unsigned words[128];
  for (unsigned i = threadIdx.x; i < 128; i += 32) words[i] = i;
  __syncwarp();
  volatile unsigned* at = words;
  const unsigned lane = threadIdx.x;
  unsigned word = lane < 16 ? 2 * lane : 64 + 2 * (lane - 16) + 1;
  for (int round = 0; round < 2; ++round) {  // the second time with warm caches of code
    const unsigned start = clock();
#pragma unroll
    for (int i = 0; i < 64; ++i) word = at[word];  // each word is its own number
    if (lane == 0) *cycles = clock() - start;
  }
  sum[lane] = word;
}

int main() {
  unsigned *cycles, *sum;
  CHECK(cudaMallocManaged(&cycles, 4));
  CHECK(cudaMallocManaged(&sum, 32 * 4));
  const auto run = [&] {
    load<<<1, 32>>>(cycles, sum);
    CHECK(cudaDeviceSynchronize());
    return *cycles;
  };
  cudaSharedMemConfig config;
  CHECK(cudaDeviceGetSharedMemConfig(&config));
  EXPECT(config == cudaSharedMemBankSizeFourByte);
  const unsigned narrow = run();
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK(cudaDeviceGetSharedMemConfig(&config));
  EXPECT(config == cudaSharedMemBankSizeEightByte);
  const unsigned wide = run();
  const bool timed = narrow > 64 * 20;    // a load alone takes 26 cycles; without timing, 1
  EXPECT(!timed || wide >= narrow + 64);  // each of 64 loads takes a pass more
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeDefault));
  EXPECT(!timed || run() + 64 <= wide);
  EXPECT(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(7)) ==
         cudaErrorInvalidValue);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT(sum[lane] == (lane < 16 ? 2 * lane : 64 + 2 * (lane - 16) + 1));
  }
  return finish();
}
