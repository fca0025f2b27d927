// A 5 x 5 filter over an image: weights in constant memory, pixels with a halo in shared memory.
#include <algorithm>

#include "check.h"

constexpr int radius = 2, tile = 16, padded = tile + 2 * radius;
__constant__ int weights[2 * radius + 1][2 * radius + 1];

__device__ int clamp(int value, int high) { return min(max(value, 0), high); }

__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char pixels[padded][padded];
  const int left = blockIdx.x * tile - radius, top = blockIdx.y * tile - radius;
  for (int y = threadIdx.y; y < padded; y += tile) {
    for (int x = threadIdx.x; x < padded; x += tile) {
      pixels[y][x] = in[clamp(top + y, height - 1) * width + clamp(left + x, width - 1)];
    }
  }
  __syncthreads();
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = 0; dy <= 2 * radius; ++dy) {
    for (int dx = 0; dx <= 2 * radius; ++dx) {
      sum += weights[dy][dx] * pixels[threadIdx.y + dy][threadIdx.x + dx];
    }
  }
  out[y * width + x] = static_cast<unsigned char>(sum / 256);
}

int main() {
  const int width = 70, height = 45, row[5] = {1, 4, 6, 4, 1};
  int kernel[5][5];
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) kernel[y][x] = row[y] * row[x];
  }
  CHECK(cudaMemcpyToSymbol(weights, kernel, sizeof kernel));
  std::vector<unsigned char> in(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = static_cast<unsigned char>(i * 31 + i / 7);
  auto* const out = device_array<unsigned char>(in.size());
  blur<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(to_device(in), out, width,
                                                                      height);
  const auto found = to_host(out, in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          const int sy = std::min(std::max(y + dy, 0), height - 1);
          const int sx = std::min(std::max(x + dx, 0), width - 1);
          sum += kernel[dy + 2][dx + 2] * in[sy * width + sx];
        }
      }
      EXPECT_EQ_AT(y * width + x, found[y * width + x], sum / 256);
    }
  }
  return finish();
}
