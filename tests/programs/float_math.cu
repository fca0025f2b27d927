// Single-precision functions, compared with double precision on the host, within the errors that
// CUDA documents for them (at most 4 units in the last place, powf 9), and the fast intrinsics.
#include "check.h"

constexpr int functions = 20;

__global__ void evaluate(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  float* const row = out + i * functions;
  row[0] = sqrtf(x);
  row[1] = expf(x);
  row[2] = logf(x);
  row[3] = sinf(x);
  row[4] = cosf(x);
  row[5] = tanf(x);
  row[6] = atanf(x);
  row[7] = powf(x, 1.7f);
  row[8] = rsqrtf(x);
  row[9] = log2f(x);
  row[10] = exp2f(x);
  row[11] = tanhf(x);
  row[12] = cbrtf(x);
  row[13] = erff(x);
  row[14] = fmodf(x, 0.75f);
  row[15] = sinhf(x);
  row[16] = __expf(x);
  row[17] = __fdividef(x, 3.0f);
  row[18] = __frsqrt_rn(x);
  row[19] = hypotf(x, 2.5f);
}
void expected(float value, double* row) {
  const double x = value;
  const double values[functions] = {
      std::sqrt(x),     std::exp(x),  std::log(x),        std::sin(x),
      std::cos(x),      std::tan(x),  std::atan(x),       std::pow(x, double{1.7f}),
      1 / std::sqrt(x), std::log2(x), std::exp2(x),       std::tanh(x),
      std::cbrt(x),     std::erf(x),  std::fmod(x, 0.75), std::sinh(x),
      std::exp(x),      x / 3,        1 / std::sqrt(x),   std::hypot(x, 2.5)};
  for (int f = 0; f < functions; ++f) row[f] = values[f];
}

int main() {
  std::vector<float> in;
  for (int i = 1; i <= 200; ++i) in.push_back(i * 0.0625f + 0.001f);
  float* const out = device_array<float>(in.size() * functions);
  evaluate<<<2, 128>>>(to_device(in), out, static_cast<int>(in.size()));
  const auto found = to_host(out, in.size() * functions);
  for (std::size_t i = 0; i < in.size(); ++i) {
    double row[functions];
    expected(in[i], row);
    for (int f = 0; f < functions; ++f) {
      double ulps = f == 7 ? 9 : 4;
      if (f == 16) ulps = 2 + std::floor(std::abs(1.173 * in[i]));  // as documented for __expf
      const double unit = std::ldexp(1.0, std::ilogb(row[f] == 0 ? 1e-30 : row[f]) - 23);
      EXPECT_CLOSE(found[i * functions + f], row[f], ulps * unit);
    }
  }
  return finish();
}
