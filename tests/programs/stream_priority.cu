// Blocks of a stream with higher priority are placed before blocks that wait in another stream.
// With the same priority, the first to arrive is placed first.
// runs: timed
#include "check.h"

// Each block takes a number when it starts, and stays for a while.
__global__ void take_numbers(unsigned* counter, unsigned* numbers, long long cycles) {
  if (threadIdx.x == 0) numbers[blockIdx.x] = atomicAdd(counter, 1u);
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

constexpr unsigned kFew = 8;
unsigned many = 0;  // several times what the GPU holds at once

// The last number that the few blocks of the second stream took.
unsigned last_of_few(cudaStream_t first, cudaStream_t second) {
  auto* const counter = device_array<unsigned>(1);
  auto* const of_many = device_array<unsigned>(many);
  auto* const of_few = device_array<unsigned>(kFew);
  CHECK(cudaMemset(counter, 0, sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  take_numbers<<<many, 256, 0, first>>>(counter, of_many, 10000);
  take_numbers<<<kFew, 256, 0, second>>>(counter, of_few, 100);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(to_host(counter, 1)[0], many + kFew);
  unsigned last = 0;
  for (unsigned number : to_host(of_few, kFew)) last = number > last ? number : last;
  return last;
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const unsigned at_once = static_cast<unsigned>(properties.multiProcessorCount) *
                           static_cast<unsigned>(properties.maxThreadsPerMultiProcessor) / 256;
  many = 4 * at_once;
  int lowest = 0, highest = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  EXPECT(highest < lowest);
  cudaStream_t low, high, also_low;
  CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, lowest));
  CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, highest));
  CHECK(cudaStreamCreateWithPriority(&also_low, cudaStreamNonBlocking, lowest));
  const unsigned overtaking = last_of_few(low, high);
  const unsigned waiting = last_of_few(low, also_low);
  std::printf("of %u blocks, %u at once: the last of few was number %u, and %u\n", many + kFew,
              at_once, overtaking, waiting);
  // The first blocks were running already; those behind them were overtaken.
  EXPECT(overtaking < 2 * at_once);
  EXPECT(waiting >= many);
  return finish();
}
