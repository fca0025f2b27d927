// C++ forms of runtime API functions: typed pointers, symbols by reference, kernels by name.
#pragma once

#include "../cuda_runtime_api.h"

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc((void**)(void*)pointer, bytes);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** pointer, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)(void*)pointer, host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(void*)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)(void*)pointer, bytes, stream);
}
inline cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void*)pointer, bytes, flags);
}

// Symbols: device variables, whose host-side shadow stands for them.
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(T** pointer, const T& symbol) {
  return cudaGetSymbolAddress((void**)(void*)pointer, (const void*)&symbol);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, (const void*)&symbol);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, source, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, source, bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t bytes,
                                        size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(destination, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(destination, (const void*)&symbol, bytes, offset, kind, stream);
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// Graph functions as they were before CUDA 12, with places for what went wrong.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        cudaGraphNode_t* error_node, char* log, size_t log_bytes) {
  if (error_node) *error_node = nullptr;
  if (log && log_bytes > 0) *log = 0;
  return cudaGraphInstantiate(executable, graph, 0ull);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphNode_t* error_node,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}

// Kernels by name.
template <class T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared_bytes,
                                     stream);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  // Each argument is first converted to the kernel's parameter type.
  return [&](Parameters... converted) {
    void* pointers[] = {(void*)&converted..., nullptr};
    return cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return cudaFuncGetName(name, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, T* kernel) {
  return cudaGetFuncBySymbol(function, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaGetKernel(cudaKernel_t* handle, T* kernel) {
  return cudaGetKernel(handle, (const void*)kernel);
}

#include "runtime_occupancy.h"
