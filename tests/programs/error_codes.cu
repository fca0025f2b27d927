// Errors that are not sticky: reported once, by the call, by peeking and by getting.
#include <cstring>

#include "check.h"

__global__ void nothing() {}

// The runtime of CUDA 13 no longer tells sizes that no kernel can have apart (NVIDIA H200, CUDA 13.0).
constexpr cudaError_t kNoSuchSizes =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

int main() {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, size_t{1} << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  nothing<<<1, 5000>>>();
  EXPECT(cudaGetLastError() == kNoSuchSizes);
  nothing<<<0, 32>>>();
  EXPECT(cudaGetLastError() == kNoSuchSizes);
  nothing<<<1, dim3(1, 1, 128)>>>();
  EXPECT(cudaGetLastError() == kNoSuchSizes);
  EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  int stack = 0;
  EXPECT(cudaFree(&stack) == cudaErrorInvalidValue);
  EXPECT(cudaFree(nullptr) == cudaSuccess);
  cudaGetLastError();
  char* const device = device_array<char>(100);
  EXPECT(cudaMemcpy(device, &stack, 4, static_cast<cudaMemcpyKind>(17)) ==
         cudaErrorInvalidMemcpyDirection);
  cudaGetLastError();
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  // None of it spoils what follows.
  nothing<<<1, 32>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
