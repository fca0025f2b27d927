// Three-dimensional grids and blocks: every thread knows its place.
#include "check.h"

__global__ void mark(int* out, dim3 size) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= size.x || y >= size.y || z >= size.z) return;
  const unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[(z * size.y + y) * size.x + x] =
      static_cast<int>(linear + 1000 * (gridDim.x + 10 * gridDim.y + 100 * gridDim.z));
}

int main() {
  const dim3 size(13, 9, 7), block(5, 3, 4), grid(3, 3, 2);
  const int count = size.x * size.y * size.z;
  int* const out = device_array<int>(count);
  CHECK(cudaMemset(out, 0, count * sizeof(int)));
  mark<<<grid, block>>>(out, size);
  const auto found = to_host(out, count);
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) {
        const int linear = (z % 4 * 3 + y % 3) * 5 + x % 5;
        EXPECT_EQ(found[(z * size.y + y) * size.x + x], linear + 1000 * (3 + 30 + 200));
      }
    }
  }
  return finish();
}
