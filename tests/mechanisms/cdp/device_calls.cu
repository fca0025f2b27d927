// Calls of the runtime by device code: attributes, limits, occupancy, copies and fills of rows and
// slices, and refused calls (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API Reference
// and Device Runtime Streams).
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include <cstring>

#include "../../programs/check.h"

__global__ void add_one(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}

struct Answers {
  int version, limit_error, block, blocks, max_threads, registers;
  int sum_of_errors;  // of all calls
  std::size_t pending, heap, shared;
};

__global__ void ask(Answers* answers) {
  int errors = cudaRuntimeGetVersion(&answers->version);
  errors += cudaDeviceGetLimit(&answers->pending, cudaLimitDevRuntimePendingLaunchCount);
  errors += cudaDeviceGetLimit(&answers->heap, cudaLimitMallocHeapSize);
  cudaFuncCache preference;
  errors += cudaDeviceGetCacheConfig(&preference);
  cudaFuncAttributes attributes;
  errors += cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(add_one));
  answers->max_threads = attributes.maxThreadsPerBlock;
  answers->registers = attributes.numRegs;
  answers->shared = attributes.sharedSizeBytes;
  errors += cudaOccupancyMaxPotentialBlockSize(&answers->blocks, &answers->block, add_one, 0, 0);
  answers->sum_of_errors = errors;
  answers->limit_error = cudaDeviceGetLimit(&answers->heap, static_cast<cudaLimit>(99));
}

void queries() {
  Answers* answers = device_array<Answers>(1);
  ask<<<1, 1>>>(answers);
  const Answers found = to_host(answers, 1)[0];
  EXPECT_EQ(found.sum_of_errors, 0);
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version));
#ifdef ON_HARDWARE
  version = 6000;  // on an NVIDIA H200 (CUDA 13.0): the device runtime's own
#endif
  EXPECT_EQ(found.version, version);
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT_EQ(found.pending, limit);
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  EXPECT_EQ(found.heap, limit);
  EXPECT_EQ(found.limit_error, cudaErrorInvalidValue);  // NVIDIA H200, CUDA 13.0
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, add_one));
  EXPECT_EQ(found.max_threads, attributes.maxThreadsPerBlock);
  EXPECT_EQ(found.registers, attributes.numRegs);
  EXPECT_EQ(found.shared, attributes.sharedSizeBytes);
  int blocks = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &block, add_one));
  EXPECT_EQ(found.blocks, blocks);
  EXPECT_EQ(found.block, block);
}

// A cube of 4 x 4 x 4 integers: a box of 2 x 2 x 2 is copied to the opposite corner of another.
__global__ void move(int* from, int* to, int* flat) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaPitchedPtr all;
  all.ptr = from;
  all.pitch = 16;
  all.xsize = 4;
  all.ysize = 4;
  cudaExtent box;
  box.width = 16;
  box.height = box.depth = 4;
  cudaMemset3DAsync(all, 0, box, stream);
  add_one<<<1, 64, 0, stream>>>(from, 64);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = copy.dstPtr = all;
  copy.dstPtr.ptr = to;
  copy.dstPos.x = 8;
  copy.dstPos.y = copy.dstPos.z = 2;
  copy.extent.width = 8;
  copy.extent.height = copy.extent.depth = 2;
  copy.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3DAsync(&copy, stream);
  // The second and third integer of its 16 rows.
  cudaMemcpy2DAsync(flat, 8, to + 1, 16, 8, 16, cudaMemcpyDeviceToDevice, stream);
  cudaMemset2DAsync(flat, 8, 0x11, 4, 3, stream);
  cudaStreamDestroy(stream);
}

void rows_and_slices() {
  int* from = to_device(std::vector<int>(64, 9));
  int* to = to_device(std::vector<int>(64));
  int* flat = to_device(std::vector<int>(32, 9));
  move<<<1, 1>>>(from, to, flat);
  const std::vector<int> cube = to_host(to, 64), pairs = to_host(flat, 32);
  for (int i = 0; i < 64; ++i) {
    const bool copied = i % 4 >= 2 && i / 4 % 4 >= 2 && i / 16 >= 2;
    EXPECT_EQ_AT(i, cube[i], copied ? 1 : 0);
  }
  for (int row = 0; row < 16; ++row) {
#ifndef ON_HARDWARE  // an H200 (CUDA 13.0) leaves this fill out
    EXPECT_EQ_AT(row, pairs[2 * row], row < 3 ? 0x11111111 : 0);
#endif
    EXPECT_EQ_AT(row, pairs[2 * row + 1], cube[4 * row + 2]);
  }
}

__global__ void break_rules(int* errors) {
  __shared__ int in_shared[8];
  int local[8];
  cudaStream_t stream;
  cudaEvent_t event;
  int n = 0;
  errors[n++] = cudaStreamCreateWithFlags(&stream, 7);
  errors[n++] = cudaEventCreateWithFlags(&event, cudaEventDefault);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  errors[n++] = cudaEventRecord(event, cudaStreamFireAndForget);
  errors[n++] = cudaEventRecord(event, cudaStreamTailLaunch);
  errors[n++] = cudaStreamWaitEvent(cudaStreamFireAndForget, event, 0);
  errors[n++] = cudaStreamWaitEvent(cudaStreamTailLaunch, event, 0);
  errors[n++] = cudaMemcpyAsync(errors, in_shared, 32, cudaMemcpyDeviceToDevice, stream);
  errors[n++] = cudaMemsetAsync(local, 0, 32, stream);
  errors[n++] = cudaEventRecord(event, cudaStreamPerThread);
  errors[n++] = cudaStreamWaitEvent(stream, event, 0);
}

void refusals() {
  int* errors = to_device(std::vector<int>(10, -1));
  break_rules<<<1, 1>>>(errors);
  const std::vector<int> found = to_host(errors, 10);
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, found[i], cudaErrorInvalidValue);
  EXPECT_EQ(found[8], cudaSuccess);
  EXPECT_EQ(found[9], cudaSuccess);
}

int main() {
  queries();
  rows_and_slices();
  refusals();
  return finish();
}
