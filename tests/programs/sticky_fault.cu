// An access to an address without memory ends the context: every later call returns the error.
#include "check.h"

__global__ void write(int* pointer) { *pointer = 1; }

int main() {
  write<<<1, 1>>>(reinterpret_cast<int*>(0x10));
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, 16) == cudaErrorIllegalAddress);
  return finish();
}
