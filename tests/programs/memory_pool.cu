// Stream-ordered allocation: memory is usable in the stream's order, and is reused.
#include "check.h"

__global__ void fill(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value + i;
}

int main() {
  const int count = 1000;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int round = 0; round < 5; ++round) {
    int* values;
    CHECK(cudaMallocAsync(reinterpret_cast<void**>(&values), count * sizeof(int), stream));
    fill<<<4, 256, 0, stream>>>(values, count, round);
    std::vector<int> host(count);
    CHECK(
        cudaMemcpyAsync(host.data(), values, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(values, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, host[i], round + i);
  }
  return finish();
}
