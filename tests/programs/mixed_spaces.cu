// Lanes of a warp load from shared and from global memory by one generic load, again and again.
#include <cstdio>
__global__ void mixed(const float* from, float* to, int rounds) {
  __shared__ float plane[32];
  plane[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int n = 0; n < rounds; ++n) {
    const float* at = threadIdx.x == 0 ? from : plane + threadIdx.x;
    sum += *const_cast<const volatile float*>(at);
  }
  to[threadIdx.x] = sum;
}
int main() {
  float h[32], *a, *b;
  for (int i = 0; i < 32; ++i) h[i] = i + 1;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  mixed<<<1, 32>>>(a, b, 2);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) if (h[i] != 2 * (i + 1)) printf("WRONG %d %g\n", i, h[i]);
  puts("end");
}
