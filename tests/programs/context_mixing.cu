// Uses the runtime API and the driver API in one program (CUDA driver API, "Primary Context
// Management", "Context Management"; CUDA runtime API, "Interactions with the CUDA Driver API").
// cc: -lcuda
#include <cuda.h>

#include <thread>

#include "check.h"

#define DRIVER(call) EXPECT_EQ(call, CUDA_SUCCESS)

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

bool primary_is_active() {
  unsigned flags = 0;
  int active = -1;
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  return active == 1;
}

CUcontext current() {
  CUcontext context = reinterpret_cast<CUcontext>(1);
  DRIVER(cuCtxGetCurrent(&context));
  return context;
}

void before_any_runtime_call() {
  CUdevice device = -1;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_NOT_INITIALIZED);
  DRIVER(cuInit(0));
  EXPECT(current() == nullptr);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(!primary_is_active());
  // Asking about devices makes no context.
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&count));
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 0));
  EXPECT(current() == nullptr);
}

void runtime_makes_the_primary_current() {
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  EXPECT(primary_is_active());
  CUcontext primary = nullptr;
  DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT(primary != nullptr && current() == primary);
  CUdevice device = -1;
  DRIVER(cuCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
  DRIVER(cuDevicePrimaryCtxRelease(0));
  EXPECT(primary_is_active());  // the runtime API holds it
  unsigned flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  DRIVER(cuCtxGetFlags(&flags));
  EXPECT_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
}

// Memory, streams and events of either API are the other's, too.
void handles_are_shared() {
  CUdeviceptr by_driver = 0;
  int* by_runtime = nullptr;
  std::vector<int> values(32, 5);
  DRIVER(cuMemAlloc(&by_driver, 32 * sizeof(int)));
  CHECK(cudaMalloc(&by_runtime, 32 * sizeof(int)));
  CHECK(cudaMemcpy(reinterpret_cast<void*>(by_driver), values.data(), 128, cudaMemcpyHostToDevice));
  DRIVER(cuMemcpyDtoD(reinterpret_cast<CUdeviceptr>(by_runtime), by_driver, 128));
  DRIVER(cuCtxSynchronize());  // streams that do not block do not wait for copies on the device

  CUstream driver_stream = nullptr;
  cudaStream_t runtime_stream = nullptr;
  CUevent driver_event = nullptr;
  cudaEvent_t runtime_event = nullptr;
  DRIVER(cuStreamCreate(&driver_stream, CU_STREAM_NON_BLOCKING));
  CHECK(cudaStreamCreateWithFlags(&runtime_stream, cudaStreamNonBlocking));
  DRIVER(cuEventCreate(&driver_event, 0));
  CHECK(cudaEventCreate(&runtime_event));
  add<<<1, 32, 0, driver_stream>>>(by_runtime, 1);
  CHECK(cudaEventRecord(driver_event, driver_stream));
  DRIVER(cuStreamWaitEvent(runtime_stream, driver_event, 0));
  add<<<1, 32, 0, runtime_stream>>>(by_runtime, 10);
  DRIVER(cuEventRecord(runtime_event, runtime_stream));
  DRIVER(cuEventSynchronize(runtime_event));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, driver_event, runtime_event));
  EXPECT(milliseconds > 0);
  CUcontext of_stream = nullptr;
  DRIVER(cuStreamGetCtx(runtime_stream, &of_stream));
  EXPECT(of_stream == current());
  DRIVER(cuMemcpyDtoH(values.data(), reinterpret_cast<CUdeviceptr>(by_runtime), 128));
  for (const int value : values) EXPECT_EQ(value, 16);

  CHECK(cudaFree(reinterpret_cast<void*>(by_driver)));
  DRIVER(cuMemFree(reinterpret_cast<CUdeviceptr>(by_runtime)));
  CHECK(cudaStreamDestroy(driver_stream));
  DRIVER(cuStreamDestroy(runtime_stream));
  CHECK(cudaEventDestroy(driver_event));
  DRIVER(cuEventDestroy(runtime_event));
}

void stack_of_contexts(CUcontext primary) {
  CUcontext made = nullptr, popped = nullptr;
#if CUDA_VERSION >= 13000
  DRIVER(cuCtxCreate(&made, nullptr, 0, 0));
#else
  DRIVER(cuCtxCreate(&made, 0, 0));
#endif
  EXPECT(current() == made && made != primary);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 16));  // in the context that is current
  EXPECT(current() == made);
  CHECK(cudaFree(memory));
  DRIVER(cuCtxPushCurrent(primary));
  EXPECT(current() == primary);
  DRIVER(cuCtxPopCurrent(&popped));
  EXPECT(popped == primary && current() == made);
  DRIVER(cuCtxSetCurrent(primary));  // replaces the top
  EXPECT(current() == primary);
  DRIVER(cuCtxSetCurrent(made));
  unsigned long long one = 0, other = 0;
  DRIVER(cuCtxGetId(nullptr, &one));
  DRIVER(cuCtxGetId(primary, &other));
  EXPECT(one != other);

  std::thread([&] {  // where it stays current after its end
    DRIVER(cuCtxSetCurrent(made));
    std::thread([&] { DRIVER(cuCtxDestroy(made)); }).join();
    CUdeviceptr none = 0;
    EXPECT_EQ(cuMemAlloc(&none, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    // The codes of calls in and of destroyed contexts: NVIDIA H200, CUDA 13.0.
    EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorDeviceUninitialized);
    EXPECT_EQ(cudaGetLastError(), cudaErrorDeviceUninitialized);
  })
      .join();
  EXPECT_EQ(cuCtxDestroy(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
#ifndef ON_HARDWARE  // which pushes it
  EXPECT_EQ(cuCtxPushCurrent(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
#endif
  EXPECT_EQ(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPushCurrent(nullptr), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuCtxSetCurrent(primary));
}

void threads(CUcontext primary) {
  std::thread([&] {
    EXPECT(current() == nullptr);
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(nullptr));
    EXPECT(current() == primary);
    DRIVER(cuMemAlloc(&memory, 4));
    DRIVER(cuMemFree(memory));
  }).join();
  std::thread([&] {
    cudaEvent_t event = nullptr;
    CHECK(cudaEventCreate(&event));  // any call that needs one
    EXPECT(current() == primary);
    CHECK(cudaEventDestroy(event));
  }).join();
}

int main() {
  before_any_runtime_call();
  runtime_makes_the_primary_current();
  handles_are_shared();
  const CUcontext primary = current();
  stack_of_contexts(primary);
  threads(primary);
  CHECK(cudaDeviceReset());
  EXPECT(!primary_is_active());
  CUdeviceptr none = 0;
  EXPECT_EQ(cuMemAlloc(&none, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK(cudaFree(nullptr));
  EXPECT(primary_is_active() && current() == primary);
  handles_are_shared();
  return finish();
}
