// The device runtime: kernels launched by kernels, and what device code asks of the runtime (CUDA
// C++ Programming Guide, "CUDA Dynamic Parallelism", API reference). The simulator implements it.
// Clang has no <<<>>> in device code: raddle/dynamic.cuh launches.
#pragma once

#include "../driver_types.h"
#include "../vector_types.h"
#include "host_defines.h"

extern "C" {
/// Memory for a child kernel's parameters, each at its own alignment as in a struct; nullptr when
/// no more launches can be pending.
__device__ void* cudaGetParameterBuffer(__SIZE_TYPE__ alignment, __SIZE_TYPE__ bytes);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream);
/// dynamic-thread-block-launch, Table 1: the group joins a running kernel of the same function and
/// block; without one, or where the hardware has no such thing, it becomes a kernel of its own.
__device__ cudaError_t cudaLaunchAggGroup(void* kernel, void* parameters, dim3 grid, dim3 block,
                                          unsigned int shared_bytes);

__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char* cudaGetErrorString(cudaError_t error);
__device__ const char* cudaGetErrorName(cudaError_t error);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaGetDevice(int* device);
__device__ cudaError_t cudaGetDeviceCount(int* count);
__device__ cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute,
                                              int device);
__device__ cudaError_t cudaMemcpyAsync(void* to, const void* from, __SIZE_TYPE__ bytes,
                                       enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void* to, int value, __SIZE_TYPE__ bytes,
                                       cudaStream_t stream);
__device__ cudaError_t cudaMalloc(void** pointer, __SIZE_TYPE__ bytes);
__device__ cudaError_t cudaFree(void* pointer);
}
