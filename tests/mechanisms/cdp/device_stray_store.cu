// A store past the end of the last array, where the device runtime has its parameter buffers, is an
// error as everywhere else (CUDA runtime API, cudaErrorIllegalAddress).
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include "../../programs/check.h"

__global__ void store(int* values, int at) { values[at] = 1; }
__global__ void store_thrice(int* values, int stray) {
  store<<<1, 1>>>(values, 1);
  store<<<1, 1>>>(values, stray);
  store<<<1, 1>>>(values, 2);
}

int main() {
  int* values = device_array<int>(64);
  store_thrice<<<1, 1>>>(values, 3);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> found = to_host(values, 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ_AT(i, found[i], i > 0);
  store_thrice<<<1, 1>>>(values, 64 + 1000);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  return finish();
}
