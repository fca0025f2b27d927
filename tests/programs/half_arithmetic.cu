// Half precision: conversions, arithmetic on one and on two values, comparison, rounding.
#include <cuda_fp16.h>

#include "check.h"

__global__ void compute(const float* x, const float* y, float* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const __half a = __float2half(x[i]), b = __float2half(y[i]);
  float* const row = out + i * 6;
  row[0] = __half2float(__hadd(a, b));
  row[1] = __half2float(__hmul(a, b));
  row[2] = __half2float(__hfma(a, b, a));
  const __half2 pair = __halves2half2(a, b);
  const __half2 sum = __hadd2(pair, __half2half2(b));
  row[3] = __low2float(sum);
  row[4] = __high2float(sum);
  row[5] = __hgt(a, b) ? 1.0f : 0.0f;
}
__global__ void round_values(float* out) {
  out[0] = __half2float(__float2half_rn(2049.0f));   // a tie between 2048 and 2050: to even
  out[1] = __half2float(__float2half_rn(2051.0f));   // a tie between 2050 and 2052: to even
  out[2] = __half2float(__float2half_rn(65520.0f));  // beyond the largest: infinite
  out[3] = __half2float(__float2half_rn(6e-8f));     // next to the smallest denormal, 2^-24
  out[4] = __half2float(__float2half_rz(2051.0f));
}

int main() {
  // Small whole numbers and halves: every exact result fits into half precision.
  const std::vector<float> x = {1, 2.5f, -3, 100, 0, 12}, y = {4, 0.5f, 8, -1, 7, 12};
  const int count = static_cast<int>(x.size());
  float* const out = device_array<float>(count * 6);
  compute<<<1, 32>>>(to_device(x), to_device(y), out, count);
  const auto rows = to_host(out, count * 6);
  for (int i = 0; i < count; ++i) {
    const float* const row = &rows[i * 6];
    EXPECT_EQ_AT(i, row[0], x[i] + y[i]);
    EXPECT_EQ_AT(i, row[1], x[i] * y[i]);
    EXPECT_EQ_AT(i, row[2], x[i] * y[i] + x[i]);
    EXPECT_EQ_AT(i, row[3], x[i] + y[i]);
    EXPECT_EQ_AT(i, row[4], 2 * y[i]);
    EXPECT_EQ_AT(i, row[5], x[i] > y[i] ? 1 : 0);
  }
  round_values<<<1, 1>>>(out);
  const auto rounded = to_host(out, 5);
  EXPECT_EQ(rounded[0], 2048.0f);
  EXPECT_EQ(rounded[1], 2052.0f);
  EXPECT_EQ(rounded[2], INFINITY);
  EXPECT_EQ(rounded[3], 0x1p-24f);
  EXPECT_EQ(rounded[4], 2050.0f);
  return finish();
}
