// Launches with <<<>>> in kernels: streams, events, fills and copies in order; tail launches after
// everything else; fire and forget; results of the runtime for device code.
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include <cstring>

#include "../../programs/check.h"

__global__ void add(int* values, int amount) { atomicAdd(&values[threadIdx.x], amount); }
__global__ void twice(int* values) { values[threadIdx.x] *= 2; }

// One stream computes; the other follows it by an event.
__global__ void by_events(int* values, int* copy) {
  cudaStream_t first, second;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMemsetAsync(values, 0, 32 * sizeof(int), first);
  add<<<1, 32, 0, first>>>(values, 5);
  twice<<<1, 32, 0, first>>>(values);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  cudaMemcpyAsync(copy, values, 32 * sizeof(int), cudaMemcpyDeviceToDevice, second);
  add<<<1, 32, 0, second>>>(copy, 1);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

// The tail runs when all children have ended, in the order of its launches.
__global__ void with_tail(int* values) {
  if (threadIdx.x == 0) {
    twice<<<1, 32, 0, cudaStreamTailLaunch>>>(values);
    add<<<1, 32, 0, cudaStreamTailLaunch>>>(values, 1);
  }
  add<<<1, 32, 0, cudaStreamFireAndForget>>>(values, 1);
}

__global__ void ask(int* answers, char* text) {
  int device = -1, count = 0, multiprocessors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0);
  answers[0] = device;
  answers[1] = count;
  answers[2] = multiprocessors;
  answers[3] = blocks;
  void* memory = nullptr;
  answers[4] = cudaMalloc(&memory, 64);
  answers[5] = memory != nullptr;
  answers[6] = cudaFree(memory);
  const char* name = cudaGetErrorName(cudaErrorInvalidValue);
  for (int i = 0; (text[i] = name[i]) != 0; ++i) {
  }
}

int main() {
  int* values = to_device(std::vector<int>(32, 77));
  int* copy = device_array<int>(32);
  by_events<<<1, 1>>>(values, copy);
  std::vector<int> found = to_host(copy, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ_AT(i, found[i], 11);

  CHECK(cudaMemset(values, 0, 32 * sizeof(int)));
  with_tail<<<1, 8>>>(values);
  found = to_host(values, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ_AT(i, found[i], 2 * 8 + 1);

  char* text = device_array<char>(64);
  ask<<<1, 1>>>(values, text);
  found = to_host(values, 7);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(found[1], 1);
  EXPECT_EQ(found[2], properties.multiProcessorCount);
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0));
  EXPECT_EQ(found[3], blocks);
  EXPECT_EQ(found[4], cudaSuccess);
  EXPECT_EQ(found[5], 1);
  EXPECT_EQ(found[6], cudaSuccess);
  const std::vector<char> name = to_host(text, 64);
  EXPECT(std::strcmp(name.data(), "cudaErrorInvalidValue") == 0);
  return finish();
}
