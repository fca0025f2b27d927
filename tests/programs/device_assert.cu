// A failed assertion in a kernel is a sticky error of the context.
#include <cassert>

#include "check.h"

__global__ void demand(const int* values) { assert(values[threadIdx.x] >= 0); }

int main() {
  demand<<<1, 4>>>(to_device<int>({1, 2, 3, 4}));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  demand<<<1, 4>>>(to_device<int>({1, 2, -3, 4}));
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, 16) == cudaErrorAssert);
  EXPECT(cudaGetLastError() == cudaErrorAssert);
  return finish();
}
