// A radix-2 fast Fourier transform in shared memory, compared with the definition.
#include "check.h"

constexpr int n = 256, log_n = 8;

__global__ void transform(float2* data) {
  __shared__ float2 values[n];
  const int thread = threadIdx.x;
  for (int i = thread; i < n; i += n / 2) values[__brev(i) >> (32 - log_n)] = data[i];
  __syncthreads();
  for (int half = 1; half < n; half *= 2) {
    const int offset = thread % half, low = (thread / half) * 2 * half + offset;
    float sine, cosine;
    sincospif(-static_cast<float>(offset) / half, &sine, &cosine);
    const float2 a = values[low], b = values[low + half];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    values[low] = make_float2(a.x + turned.x, a.y + turned.y);
    values[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
    __syncthreads();
  }
  for (int i = thread; i < n; i += n / 2) data[i] = values[i];
}

int main() {
  std::vector<float2> in(n);
  for (int i = 0; i < n; ++i) in[i] = make_float2((i * 37) % 64 / 64.0f, (i * 11) % 32 / 32.0f);
  float2* const device = to_device(in);
  transform<<<1, n / 2>>>(device);
  const auto found = to_host(device, n);
  for (int k = 0; k < n; ++k) {
    double real = 0, imaginary = 0;
    for (int i = 0; i < n; ++i) {
      const double angle = -2 * M_PI * ((i * k) % n) / n;
      real += in[i].x * std::cos(angle) - in[i].y * std::sin(angle);
      imaginary += in[i].x * std::sin(angle) + in[i].y * std::cos(angle);
    }
    // Eight stages on values up to 2n, a few roundings each.
    const double tolerance = 4.0 * log_n * 2 * n * 0x1p-24;
    EXPECT_CLOSE(found[k].x, real, tolerance);
    EXPECT_CLOSE(found[k].y, imaginary, tolerance);
  }
  return finish();
}
