// Work in one stream runs in order; an event makes one stream wait for another.
#include "check.h"

__global__ void add(int* values, int count, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += amount;
}
__global__ void scale(int* values, int count, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

int main() {
  const int count = 1000;
  int* const values = device_array<int>(count);
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t done;
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK(cudaMemsetAsync(values, 0, count * sizeof(int), first));
  add<<<4, 256, 0, first>>>(values, count, 3);
  scale<<<4, 256, 0, first>>>(values, count, 10);
  CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done, 0));
  add<<<4, 256, 0, second>>>(values, count, 4);
  scale<<<4, 256, 0, second>>>(values, count, 2);
  CHECK(cudaStreamSynchronize(second));
  EXPECT(cudaEventQuery(done) == cudaSuccess);
  EXPECT(cudaStreamQuery(first) == cudaSuccess);
  for (int value : to_host(values, count)) EXPECT_EQ(value, (0 + 3) * 10 * 2 + 8);
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaEventDestroy(done));
  return finish();
}
