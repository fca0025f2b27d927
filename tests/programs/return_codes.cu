// Return codes of calls with wrong arguments, as the CUDA runtime API documents them and an NVIDIA
// H200 returns them (CUDA 13.0), group by group. None of these calls affects later ones.
#include "check.h"

#define RETURNS(call, code) EXPECT_EQ(call, code)

__global__ void fill(int* values) { values[threadIdx.x] = 1; }

void devices() {
  int number = 0;
  char text[32];
  cudaDeviceProp properties;
  size_t size = 0;
  RETURNS(cudaSetDevice(1), cudaErrorInvalidDevice);
  RETURNS(cudaSetDevice(-1), cudaErrorInvalidDevice);
  RETURNS(cudaGetDeviceProperties(&properties, 3), cudaErrorInvalidDevice);
  RETURNS(cudaDeviceGetAttribute(&number, static_cast<cudaDeviceAttr>(9999), 0),
          cudaErrorInvalidValue);
  RETURNS(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
  RETURNS(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 4), cudaErrorInvalidValue);
  RETURNS(cudaDeviceGetLimit(&size, static_cast<cudaLimit>(77)), cudaErrorInvalidValue);
  RETURNS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  RETURNS(cudaDeviceDisablePeerAccess(1), cudaErrorInvalidDevice);
  RETURNS(cudaDeviceGetPCIBusId(text, 4, 0), cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(text, sizeof text, 0));
  CHECK(cudaDeviceGetByPCIBusId(&number, text));
  EXPECT_EQ(number, 0);
}

void memory(int* device) {
  void* pointer = device;
  int host[4] = {};
  size_t pitch = 0;
  RETURNS(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  CHECK(cudaMalloc(&pointer, 0));
  EXPECT(pointer == nullptr);
  RETURNS(cudaMalloc(&pointer, size_t{1} << 50), cudaErrorMemoryAllocation);
  RETURNS(cudaMallocPitch(&pointer, &pitch, ~size_t{0}, 2), cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&pointer, 0));
  RETURNS(cudaMallocManaged(&pointer, 4, 0), cudaErrorInvalidValue);
  RETURNS(cudaHostAlloc(&pointer, 16, 64), cudaErrorInvalidValue);
  RETURNS(cudaFree(host), cudaErrorInvalidValue);
  RETURNS(cudaFree(device + 1), cudaErrorInvalidValue);
  RETURNS(cudaFreeHost(device), cudaErrorInvalidValue);
  RETURNS(cudaMemcpy(device, host, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  RETURNS(cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
  RETURNS(cudaMemset(device, 0, 4097), cudaErrorInvalidValue);
  RETURNS(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  RETURNS(cudaMemcpy2D(device, 4, host, 8, 8, 2, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
  RETURNS(cudaMemcpyToSymbol(host, host, 4), cudaErrorInvalidSymbol);
  RETURNS(cudaGetSymbolAddress(&pointer, host), cudaErrorInvalidSymbol);
}

void host_memory(int* device) {
  static char ordinary[8192];
  unsigned flags = 0;
  void* pinned = nullptr;
  void* mapped = nullptr;
  RETURNS(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
  RETURNS(cudaHostRegister(ordinary, 4, 0x100), cudaErrorInvalidValue);
  CHECK(cudaHostRegister(ordinary, sizeof ordinary, cudaHostRegisterPortable));
  CHECK(cudaHostGetFlags(&flags, ordinary));
  EXPECT((flags & cudaHostAllocPortable) != 0);
  RETURNS(cudaHostRegister(ordinary, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(ordinary));
  RETURNS(cudaHostUnregister(ordinary), cudaErrorHostMemoryNotRegistered);
  RETURNS(cudaHostGetFlags(&flags, ordinary), cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CHECK(cudaHostGetFlags(&flags, pinned));
  EXPECT((flags & cudaHostAllocWriteCombined) != 0 && (flags & cudaHostAllocPortable) == 0);
  RETURNS(cudaHostGetDevicePointer(&mapped, pinned, 1), cudaErrorInvalidValue);
  RETURNS(cudaHostGetDevicePointer(&mapped, device, 0), cudaErrorInvalidValue);
  RETURNS(cudaFree(pinned), cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned));
}

void streams_and_events() {
  float milliseconds = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t timed = nullptr, untimed = nullptr, none = nullptr;
  RETURNS(cudaStreamCreateWithFlags(&stream, 7), cudaErrorInvalidValue);
  RETURNS(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCreate(&stream));
  RETURNS(cudaEventCreateWithFlags(&none, 0x80), cudaErrorInvalidValue);
  CHECK(cudaEventCreate(&timed));
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  RETURNS(cudaEventElapsedTime(&milliseconds, timed, timed), cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(timed, stream));
  CHECK(cudaEventRecord(untimed, stream));
  CHECK(cudaStreamSynchronize(stream));
  RETURNS(cudaEventElapsedTime(&milliseconds, timed, untimed), cudaErrorInvalidResourceHandle);
  RETURNS(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  RETURNS(cudaStreamWaitEvent(stream, timed, 9), cudaErrorInvalidValue);
  RETURNS(cudaEventRecordWithFlags(timed, stream, 9), cudaErrorInvalidValue);
  RETURNS(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream));
#ifndef ON_HARDWARE  // which uses what was destroyed
  RETURNS(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
#endif
}

void attached_memory(int* device) {
  cudaStream_t stream = nullptr;
  int* managed = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
  CHECK(cudaStreamAttachMemAsync(stream, managed));
  CHECK(cudaStreamAttachMemAsync(stream, managed, 64, cudaMemAttachGlobal));
  RETURNS(cudaStreamAttachMemAsync(stream, managed, 8, cudaMemAttachSingle), cudaErrorInvalidValue);
  RETURNS(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle),
          cudaErrorInvalidValue);
  RETURNS(cudaStreamAttachMemAsync(stream, managed, 0, 3), cudaErrorInvalidValue);
  RETURNS(cudaStreamAttachMemAsync(stream, device, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
}

void launches(int* device) {
  cudaFuncAttributes attributes;
  int blocks = 0;
  const auto launch = [&](dim3 grid, dim3 block, size_t shared) {
    fill<<<grid, block, shared>>>(device);
    return cudaGetLastError();
  };
  constexpr bool as_driver = CUDART_VERSION >= 13000;  // the runtime passes its codes on
  const cudaError_t sizes = as_driver ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
  RETURNS(launch(1, 2048, 0), sizes);
  RETURNS(launch(0, 1, 0), sizes);
  RETURNS(launch(1, dim3(1, 1, 65), 0), sizes);
  RETURNS(launch(dim3(1, 65536), 1, 0), sizes);
  RETURNS(launch(1, 1, 1 << 20), cudaErrorInvalidValue);
  RETURNS(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&blocks)),
          as_driver ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction);
  RETURNS(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 24),
          cudaErrorInvalidValue);
  RETURNS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0),
          cudaErrorInvalidValue);
}

int main() {
  int* device = device_array<int>(1024);
  devices();
  memory(device);
  host_memory(device);
  streams_and_events();
  attached_memory(device);
  launches(device);
  cudaGetLastError();
  fill<<<1, 1024>>>(device);
  EXPECT_EQ(to_host(device, 1024)[1023], 1);
  CHECK(cudaFree(device));
  RETURNS(cudaFree(device), cudaErrorInvalidValue);
  return finish();
}
