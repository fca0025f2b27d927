// Errors of launches are reported once; a fault in a kernel is sticky.
#include "check.h"

// The runtime of CUDA 13 passes the driver's code on (NVIDIA H200, CUDA 13.0).
constexpr cudaError_t kSizes =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

__global__ void store(int* values, int at) { values[at] = 1; }

int main() {
  int* values = nullptr;
  EXPECT_OK(cudaMalloc(&values, 128));
  store<<<1, 2048>>>(values, 0);
  EXPECT_CODE(cudaPeekAtLastError(), kSizes);
  EXPECT_CODE(cudaGetLastError(), kSizes);
  EXPECT_OK(cudaGetLastError());
  store<<<0, 32>>>(values, 0);
  EXPECT_CODE(cudaGetLastError(), kSizes);
  store<<<1, 1>>>(values, 31);
  EXPECT_OK(cudaDeviceSynchronize());

  store<<<1, 1>>>(values, 32);  // one past the end
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaMalloc(&values, 128), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  return failures;
}
