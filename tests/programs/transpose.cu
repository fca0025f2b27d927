// Matrix transpose through a padded tile in shared memory.
#include "check.h"

constexpr int tile = 32, rows = 8;

__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float values[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int r = 0; r < tile; r += rows) {
    if (x < width && y + r < height) values[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int r = 0; r < tile; r += rows) {
    if (x < height && y + r < width)
      out[(y + r) * height + x] = values[threadIdx.x][threadIdx.y + r];
  }
}

int main() {
  const int width = 75, height = 101;
  std::vector<float> in(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = static_cast<float>(i);
  float* const out = device_array<float>(in.size());
  transpose<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(tile, rows)>>>(to_device(in), out,
                                                                               width, height);
  const auto found = to_host(out, in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) EXPECT_EQ_AT(x, found[x * height + y], in[y * width + x]);
  }
  return finish();
}
