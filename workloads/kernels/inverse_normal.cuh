// Inverse of the cumulative normal distribution by Moro's approximation ("The Full Monte", Risk
// 8(2), 1995). Sizes and launches are those of inverseCND in the CUDA sample quasirandomGenerator.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

/// The quantile of the probability (x + 1/2) / 2^32.
__device__ inline float moro(unsigned x) {
  bool negate = false;
  if (x >= 0x80000000u) {
    x = 0xffffffffu - x;
    negate = true;
  }
  constexpr float kUnit = 1.0f / 4294967295.0f;
  const float p = static_cast<float>(x) * kUnit + kUnit / 2;
  const float q = p - 0.5f;
  float z;
  if (q > -0.42f) {
    z = q * q;
    z = q *
        (((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z + 2.50662823884f) /
        ((((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z - 8.47351093090f) * z +
         1.0f);
  } else {
    z = __logf(-__logf(p));
    z = 0.3374754822726147f +
        z * (0.9761690190917186f +
             z * (0.1607979714918209f +
                  z * (0.0276438810333863f +
                       z * (0.0038405729373609f +
                            z * (0.0003951896511919f +
                                 z * (0.0000321767881768f +
                                      z * (0.0000002888167364f + z * 0.0000003960315187f)))))));
    z = -z;
  }
  return negate ? -z : z;
}

extern "C" __global__ void inverse_normal(float* out, unsigned count) {
  const unsigned distance = 0xffffffffu / (count + 1);
  const unsigned threads = blockDim.x * gridDim.x;
  for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < count; i += threads) {
    out[i] = moro((i + 1) * distance);
  }
}

/// Checks the cumulative distribution of each result, by erfc() of the C library.
inline bool run_inverse_normal(Bench& bench) {
  constexpr unsigned kCount = 3 << 20;
  DeviceBuffer<float> out(kCount);
  bench.launch("inverse_normal", inverse_normal, 128, 128, 0, out.data(), kCount);
  std::vector<float> found = out.download(), expected(kCount);
  const std::uint32_t distance = 0xffffffffu / (kCount + 1);
  for (unsigned i = 0; i < kCount; ++i) {
    expected[i] = static_cast<float>(((i + 1) * distance + 0.5) * 0x1p-32);
    found[i] = static_cast<float>(std::erfc(-double{found[i]} / std::sqrt(2.0)) / 2);
  }
  return check_near("inverse_normal", expected, found, 1e-6);
}

}  // namespace raddle::workloads::kernels
