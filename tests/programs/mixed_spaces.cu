// Lanes of a warp load from shared and from global memory by one generic load, repeatedly.
#include "check.h"

constexpr int kLanes = 32, kRounds = 3;

__global__ void mixed(const float* from, float* to) {
  __shared__ float plane[kLanes];
  plane[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int n = 0; n < kRounds; ++n) {
    const float* at = threadIdx.x % 5 == 0 ? from + threadIdx.x : plane + threadIdx.x;
    sum += *const_cast<const volatile float*>(at);
  }
  to[threadIdx.x] = sum;
}

int main() {
  float values[kLanes], *from, *to;
  for (int i = 0; i < kLanes; ++i) values[i] = static_cast<float>(i + 1);
  CHECK(cudaMalloc(&from, sizeof values));
  CHECK(cudaMalloc(&to, sizeof values));
  CHECK(cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice));
  mixed<<<1, kLanes>>>(from, to);
  CHECK(cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kLanes; ++i) EXPECT(values[i] == static_cast<float>(kRounds * (i + 1)));
  return finish();
}
