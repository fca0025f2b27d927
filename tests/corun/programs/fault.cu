// One kernel runs for a long time, another one stores beyond its memory. The exit code is 3 when
// both calls return the expected errors.
#include <cstdio>

__global__ void count(int* p, int times) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < times; ++i) x = x * 3 + i;
  if (x == 12345) *p = 1;
}
__global__ void store_far(int* p) { p[threadIdx.x + (1 << 28)] = 1; }

int main() {
  int* memory = nullptr;
  if (cudaMalloc(&memory, 4096) != cudaSuccess) return 1;
  cudaMemset(memory, 0, 4096);
  count<<<4, 64>>>(memory, 5);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaStream_t beside;
  cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking);
  count<<<64, 256>>>(memory, 1 << 30);
  store_far<<<1, 32, 0, beside>>>(memory);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("fault: %s\n", cudaGetErrorName(error));
  return error == cudaErrorIllegalAddress && cudaGetLastError() == error ? 3 : 1;
}
