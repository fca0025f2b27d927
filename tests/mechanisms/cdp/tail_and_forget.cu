// The tail launch stream and the fire-and-forget stream in programs that launch with dynamic.cuh
// (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", The Fire and Forget Stream, The Tail
// Launch Stream).
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::launch_in;

struct Log {
  int* entries;
  int* count;
};
__global__ void note(Log log, int value, int cycles) {
  for (const long long start = clock64(); clock64() - start < cycles;) {
  }
  log.entries[atomicAdd(log.count, 1)] = value;
}
constexpr auto note_kernel = &note;

// Its tails come after it and all its children, one after the other; what is forgotten waits for
// nothing, and the tail for it.
__global__ void parent(Log log, cudaError_t* errors) {
  int n = 0;
  errors[n++] = launch_in(cudaStreamTailLaunch, note_kernel, 1, 1, 0, log, 4, 0);
  errors[n++] = launch_in(cudaStreamTailLaunch, note_kernel, 1, 1, 0, log, 5, 0);
  errors[n++] = launch_in(cudaStreamFireAndForget, note_kernel, 1, 1, 0, log, 3, 400000);
  errors[n++] = launch_in(cudaStreamFireAndForget, note_kernel, 1, 1, 0, log, 2, 200000);
  errors[n++] = launch_in(nullptr, note_kernel, 1, 1, 0, log, 1, 0);
  cudaEvent_t event;
  errors[n++] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  const bool refused = cudaEventRecord(event, cudaStreamTailLaunch) == cudaErrorInvalidValue &&
                       cudaEventRecord(event, cudaStreamFireAndForget) == cudaErrorInvalidValue;
  errors[n++] = refused ? cudaSuccess : cudaErrorUnknown;
  errors[n++] = cudaEventDestroy(event);
}

int main() {
  const Log log{to_device(std::vector<int>(8)), to_device(std::vector<int>(1))};
  auto* errors = to_device(std::vector<cudaError_t>(8, cudaErrorUnknown));
  parent<<<1, 1>>>(log, errors);
  note<<<1, 1>>>(log, 6, 0);  // after all of it
  const std::vector<int> found = to_host(log.entries, 8);
  const std::vector<cudaError_t> results = to_host(errors, 8);
  EXPECT_EQ(to_host(log.count, 1)[0], 6);
  // Without timing, clocks count instructions: 1, 2 and 3 come in any order.
  EXPECT_EQ(found[0] + found[1] + found[2], 6);
  for (int i = 3; i < 6; ++i) EXPECT_EQ_AT(i, found[i], i + 1);
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, results[i], cudaSuccess);
#ifndef ON_HARDWARE  // where asking crashes
  // On the host they are no streams.
  EXPECT_EQ(cudaStreamQuery(cudaStreamTailLaunch), cudaErrorInvalidResourceHandle);
#endif
  return finish();
}
