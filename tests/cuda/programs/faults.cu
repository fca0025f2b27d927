// Errors of launches do not stay; a fault in a kernel does.
#include "check.h"

__global__ void store(int* values, int at) { values[at] = 1; }

int main() {
  int* values = nullptr;
  EXPECT_OK(cudaMalloc(&values, 128));
  store<<<1, 2048>>>(values, 0);
  EXPECT_CODE(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_OK(cudaGetLastError());
  store<<<0, 32>>>(values, 0);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidConfiguration);
  store<<<1, 1>>>(values, 31);
  EXPECT_OK(cudaDeviceSynchronize());

  store<<<1, 1>>>(values, 32);  // one past the end
  EXPECT_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaMalloc(&values, 128), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
  return failures;
}
