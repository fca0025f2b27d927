// One launch sums everything. The block that finishes last, found by an atomic counter after a
// fence, adds the sums of the others.
#include "check.h"

__device__ unsigned finished = 0;

__global__ void sum(const int* in, int count, volatile int* partial, int* total) {
  __shared__ int values[128];
  __shared__ bool last;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    own += in[i];
  }
  values[threadIdx.x] = own;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = values[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) all += partial[block];
    *total = all;
  }
}

int main() {
  const int count = 20000;
  std::vector<int> in(count);
  int expected = 0;
  for (int i = 0; i < count; ++i) expected += in[i] = (i * 13) % 77 - 30;
  int* const total = device_array<int>(1);
  const int* const device = to_device(in);
  int* const partial = device_array<int>(40);
  for (int round = 0; round < 3; ++round) {  // the counter wraps to zero by itself
    CHECK(cudaMemset(total, 0xff, sizeof(int)));
    sum<<<40, 128>>>(device, count, partial, total);
    EXPECT_EQ(to_host(total, 1)[0], expected);
  }
  return finish();
}
