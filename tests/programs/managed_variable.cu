// compiler: nvcc
// Managed variables with initial values. (clang 19 has no __managed__ for CUDA.)
#include "check.h"

__managed__ int total = 3;
__managed__ int table[4] = {1, 2, 3, 4};

__global__ void sum() { atomicAdd(&total, table[threadIdx.x]); }

int main() {
  EXPECT_EQ(total, 3);
  table[3] = 10;
  sum<<<1, 4>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(total, 3 + 1 + 2 + 3 + 10);
  return finish();
}
