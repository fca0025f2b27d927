// Devices (CUDA runtime API, "Device Management", "Peer Device Memory Access"). There is one.
#include <cstdio>
#include <cstring>

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaDeviceSynchronize() {
  return call(Cost::call, [](Runtime& runtime) { return synchronize_all(runtime); });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  return call_always(Cost::call, [](Runtime& runtime) { return synchronize_all(runtime); });
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaGetDeviceCount(int* count) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call(Cost::call, [&](Runtime&) {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    runtime.load_managed();
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
