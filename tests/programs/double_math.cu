// Double-precision functions, compared with the host's, within the errors that CUDA documents (at
// most two units in the last place for these; more for pow, tgamma and similar ones).
#include "check.h"

constexpr int functions = 20;

__global__ void evaluate(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double x = in[i];
  double* const row = out + i * functions;
  row[0] = sqrt(x);
  row[1] = exp(x);
  row[2] = log(x);
  row[3] = sin(x);
  row[4] = cos(x);
  row[5] = tan(x);
  row[6] = atan(x);
  row[7] = pow(x, 1.7);
  row[8] = cbrt(x);
  row[9] = log10(x);
  row[10] = exp2(x);
  row[11] = sinh(x);
  row[12] = tanh(x);
  row[13] = floor(x) + ceil(x) + rint(x) + trunc(x);
  row[14] = fmod(x, 0.7);
  row[15] = hypot(x, 2.5);
  row[16] = log1p(x);
  row[17] = expm1(x);
  row[18] = atan2(x, 1.25);
  row[19] = 1 / x;
}
void expected(double x, double* row) {
  const double values[functions] = {
      std::sqrt(x),        std::exp(x),
      std::log(x),         std::sin(x),
      std::cos(x),         std::tan(x),
      std::atan(x),        std::pow(x, 1.7),
      std::cbrt(x),        std::log10(x),
      std::exp2(x),        std::sinh(x),
      std::tanh(x),        std::floor(x) + std::ceil(x) + std::rint(x) + std::trunc(x),
      std::fmod(x, 0.7),   std::hypot(x, 2.5),
      std::log1p(x),       std::expm1(x),
      std::atan2(x, 1.25), 1 / x};
  for (int f = 0; f < functions; ++f) row[f] = values[f];
}

int main() {
  std::vector<double> in;
  for (int i = 1; i <= 200; ++i) in.push_back(i * 0.0625 + 1e-3);
  double* const out = device_array<double>(in.size() * functions);
  evaluate<<<2, 128>>>(to_device(in), out, static_cast<int>(in.size()));
  const auto found = to_host(out, in.size() * functions);
  for (std::size_t i = 0; i < in.size(); ++i) {
    double row[functions];
    expected(in[i], row);
    for (int f = 0; f < functions; ++f) {
      const double tolerance = 4 * 0x1p-52 * std::fmax(std::abs(row[f]), 0x1p-1000);
      const bool exact = f == 0 || f == 13 || f == 14 || f == 19;
      EXPECT_CLOSE(found[i * functions + f], row[f], exact ? 0 : tolerance);
    }
  }
  return finish();
}
