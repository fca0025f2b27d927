// Bitonic sort driven by the device: each step is a fire-and-forget launch, and a tail launch
// continues with the next step. A tail launch does not nest deeper, so 36 in a row are allowed.
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include <algorithm>

#include "../../programs/check.h"

__global__ void compare(int* data, int distance, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), other = i ^ distance;
  if (other <= i) return;
  const bool rising = (i & size) == 0;
  if ((data[i] > data[other]) != rising) return;
  const int kept = data[i];
  data[i] = data[other];
  data[other] = kept;
}

__global__ void sort_step(int* data, int count, int distance, int size, int* errors) {
  compare<<<count / 64, 64, 0, cudaStreamFireAndForget>>>(data, distance, size);
  if (distance == 1) size *= 2;
  distance = distance == 1 ? size / 2 : distance / 2;
  if (size <= count) {
    sort_step<<<1, 1, 0, cudaStreamTailLaunch>>>(data, count, distance, size, errors);
  }
  if (cudaGetLastError() != cudaSuccess) *errors += 1;
}

int main() {
  std::vector<int> values(256);
  unsigned state = 7;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 12);
  }
  int* data = to_device(values);
  int* errors = to_device(std::vector<int>(1));
  sort_step<<<1, 1>>>(data, 256, 1, 2, errors);
  EXPECT_EQ(to_host(errors, 1)[0], 0);
  const std::vector<int> found = to_host(data, values.size());
  std::sort(values.begin(), values.end());
  for (int i = 0; i < 256; ++i) EXPECT_EQ_AT(i, found[i], values[i]);
  return finish();
}
