// A five-point stencil, many steps between two buffers; additions are spelled so that the host can
// repeat them bit for bit.
#include <utility>

#include "check.h"

__global__ void step(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  const float sum =
      __fadd_rn(__fadd_rn(in[i - 1], in[i + 1]), __fadd_rn(in[i - width], in[i + width]));
  out[i] = __fmul_rn(0.25f, sum);
}

int main() {
  const int width = 61, height = 40, steps = 20;
  std::vector<float> host(width * height, 0.0f), next;
  for (int x = 0; x < width; ++x) host[x] = static_cast<float>(x * x);
  next = host;
  float* a = to_device(host);
  float* b = device_array<float>(host.size());
  for (int s = 0; s < steps; ++s) {
    step<<<dim3(4, 5), dim3(16, 8)>>>(a, b, width, height);
    std::swap(a, b);
    for (int y = 1; y < height - 1; ++y) {
      for (int x = 1; x < width - 1; ++x) {
        const int i = y * width + x;
        next[i] = 0.25f * ((host[i - 1] + host[i + 1]) + (host[i - width] + host[i + width]));
      }
    }
    std::swap(host, next);
  }
  const auto found = to_host(a, host.size());
  for (int i = 0; i < width * height; ++i) EXPECT_EQ_AT(i, found[i], host[i]);
  return finish();
}
