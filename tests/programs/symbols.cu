// Device variables by name: copies with offsets, address, size, initial values.
#include "check.h"

__device__ int counter = 7;
__device__ double grid[3][4] = {{1.5}, {0, 2.5}};
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int* pointer_to_counter = &counter;

__global__ void touch(float* out) {
  counter += 1;
  *pointer_to_counter += 10;
  grid[2][3] = grid[0][0] + grid[1][1];
  for (int i = 0; i < 4; ++i) out[i] = factors[i];
}

int main() {
  float* const out = device_array<float>(4);
  const float half = 0.5f;
  CHECK(cudaMemcpyToSymbol(factors, &half, sizeof half, 2 * sizeof(float)));
  touch<<<1, 1>>>(out);
  const auto values = to_host(out, 4);
  EXPECT_EQ(values[1], 2.0f);
  EXPECT_EQ(values[2], 0.5f);
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT_EQ(count, 7 + 1 + 10);
  double corner = 0;
  CHECK(cudaMemcpyFromSymbol(&corner, grid, sizeof corner, 11 * sizeof(double)));
  EXPECT_EQ(corner, 4.0);
  size_t size = 0;
  CHECK(cudaGetSymbolSize(&size, grid));
  EXPECT_EQ(size, 12 * sizeof(double));
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, counter));
  const int hundred = 100;
  CHECK(cudaMemcpy(address, &hundred, sizeof hundred, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT_EQ(count, 100);
  return finish();
}
