// Eight-bit floating point: known codes, conversion of every code and back on the device,
// saturation.
#include <cuda_fp8.h>

#include "check.h"

__global__ void there_and_back(unsigned char* e4m3, unsigned char* e5m2, float* values) {
  const int code = threadIdx.x;
  __nv_fp8_e4m3 a;
  a.__x = static_cast<unsigned char>(code);
  values[code] = static_cast<float>(a);
  e4m3[code] = __nv_fp8_e4m3(values[code]).__x;
  __nv_fp8_e5m2 b;
  b.__x = static_cast<unsigned char>(code);
  values[256 + code] = static_cast<float>(b);
  e5m2[code] = __nv_fp8_e5m2(values[256 + code]).__x;
}

__global__ void convert(const float* in, unsigned char* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  out[4 * i] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
  out[4 * i + 1] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
  out[4 * i + 2] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E5M2);
  out[4 * i + 3] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
}

int main() {
  auto *e4m3 = device_array<unsigned char>(256), *e5m2 = device_array<unsigned char>(256);
  float* values = device_array<float>(512);
  there_and_back<<<1, 256>>>(e4m3, e5m2, values);
  const std::vector<unsigned char> a = to_host(e4m3, 256), b = to_host(e5m2, 256);
  const std::vector<float> v = to_host(values, 512);
  for (int code = 0; code < 256; ++code) {
    // NaNs become the one of all ones; infinity becomes the largest number.
    const int low = code & 0x7f, sign = code & 0x80;
    EXPECT_EQ_AT(code, a[code], low == 0x7f ? 0x7f : code);
    EXPECT_EQ_AT(code, b[code], low > 0x7c ? 0x7f : low == 0x7c ? sign | 0x7b : code);
  }
  // OCP 8-bit floating point specification, table 1.
  EXPECT_EQ(v[0x7e], 448.0f);
  EXPECT_EQ(v[0x08], 0.015625f);
  EXPECT_EQ(v[0x01], 0.001953125f);
  EXPECT_EQ(v[256 + 0x7b], 57344.0f);
  EXPECT_EQ(v[256 + 0x04], std::ldexp(1.0f, -14));
  EXPECT_EQ(v[256 + 0x01], std::ldexp(1.0f, -16));

  const std::vector<float> in = {1.0f, -1.0625f, 464.0f, 465.0f, -61440.0f, 1e-9f};
  const unsigned char expected[] = {0x38, 0x38, 0x3c, 0x3c,   // one
                                    0xb8, 0xb8, 0xbc, 0xbc,   // a tie, to even
                                    0x7e, 0x7e, 0x5f, 0x5f,   // a tie, to the largest of E4M3
                                    0x7e, 0x7f, 0x5f, 0x5f,   // beyond it
                                    0xfe, 0xff, 0xfb, 0xfc,   // beyond both
                                    0x00, 0x00, 0x00, 0x00};  // nothing
  auto* out = device_array<unsigned char>(4 * in.size());
  convert<<<1, 32>>>(to_device(in), out, static_cast<int>(in.size()));
  const std::vector<unsigned char> found = to_host(out, 4 * in.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ_AT(i, found[i], expected[i]);
  return finish();
}
