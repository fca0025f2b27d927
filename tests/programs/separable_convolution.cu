// A separable filter in two passes with an intermediate buffer, on whole numbers.
#include "check.h"

constexpr int radius = 4;
__constant__ int taps[2 * radius + 1];

template <bool Rows>
__global__ void convolve(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    const int sx = Rows ? x + k : x, sy = Rows ? y : y + k;
    if (sx >= 0 && sx < width && sy >= 0 && sy < height) {
      sum += taps[k + radius] * in[sy * width + sx];
    }
  }
  out[y * width + x] = sum;
}

int main() {
  const int width = 50, height = 33, filter[9] = {1, -2, 3, 5, 8, 5, 3, -2, 1};
  CHECK(cudaMemcpyToSymbol(taps, filter, sizeof filter));
  std::vector<int> in(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = (i * 29) % 97;
  int* const middle = device_array<int>(in.size());
  int* const out = device_array<int>(in.size());
  const dim3 grid(4, 5), block(16, 8);
  convolve<true><<<grid, block>>>(to_device(in), middle, width, height);
  convolve<false><<<grid, block>>>(middle, out, width, height);
  const auto found = to_host(out, in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
          if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
          sum += filter[dy + radius] * filter[dx + radius] * in[(y + dy) * width + x + dx];
        }
      }
      EXPECT_EQ_AT(y * width + x, found[y * width + x], sum);
    }
  }
  return finish();
}
