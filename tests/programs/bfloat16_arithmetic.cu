// cuda: 12
// bfloat16: the upper half of a float, rounded to nearest even.
#include <cuda_bf16.h>

#include "check.h"

__global__ void convert(const float* in, float* out, int count) {
  const int i = threadIdx.x;
  if (i < count) out[i] = __bfloat162float(__float2bfloat16(in[i]));
}
__global__ void product(const float* x, const float* y, float* out, int count) {
  const int i = threadIdx.x;
  if (i < count) {
    out[i] = __bfloat162float(__hmul(__float2bfloat16(x[i]), __float2bfloat16(y[i])));
  }
}

int main() {
  // 1 + 2^-8 is a tie between 1 and 1 + 2^-7; 1 + 3 * 2^-8 one between 1 + 2^-7 and 1 + 2^-6.
  const std::vector<float> in = {1.0f, 1 + 0x1p-8f, 1 + 3 * 0x1p-8f, -3.5f, 1e30f, 0};
  float* const out = device_array<float>(in.size());
  convert<<<1, 32>>>(to_device(in), out, 6);
  const auto found = to_host(out, in.size());
  EXPECT_EQ(found[0], 1.0f);
  EXPECT_EQ(found[1], 1.0f);
  EXPECT_EQ(found[2], 1 + 0x1p-6f);
  EXPECT_EQ(found[3], -3.5f);
  EXPECT_CLOSE(found[4], 1e30, 1e30 / 256);
  EXPECT_EQ(found[5], 0.0f);
  product<<<1, 32>>>(to_device<float>({3, -1.5f}), to_device<float>({5, 64}), out, 2);
  EXPECT_EQ(to_host(out, 2)[0], 15.0f);
  EXPECT_EQ(to_host(out, 2)[1], -96.0f);
  return finish();
}
