// On compute capability 6.0 and later the host may use managed memory while kernels run (CUDA C++
// Programming Guide, "Unified Memory Programming").
// gpu: v100
#include "check.h"

__global__ void wait_and_set(int* value, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *value = 7;
}

int main() {
  int concurrent = 0;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  EXPECT_EQ(concurrent, 1);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT_EQ(properties.concurrentManagedAccess, 1);
  int *set = nullptr, *other = nullptr;
  CHECK(cudaMallocManaged(&set, sizeof(int)));
  CHECK(cudaMallocManaged(&other, sizeof(int)));
  *set = 1;
  wait_and_set<<<1, 1>>>(set, 100000);
  *other = 2;
  EXPECT_EQ(*other, 2);
  EXPECT(*set == 1 || *set == 7);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(*set, 7);
  return finish();
}
