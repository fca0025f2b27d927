// Small kernels one directly after the other in a stream (as gpu-small-kernels of gpu-benches,
// RRZE-HPC). The result is the time from one to the next.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

extern "C" __global__ void small_scale(double* to, const double* from, int size) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= size) return;
  to[i] = from[i] * 0.25;
}

/// Launches each size so often that the first launches do not matter. Launches scale the values up
/// and down in turn.
inline bool run_small(Bench& bench) {
  constexpr unsigned kThreads = 256, kLaunches = 20;
  constexpr int kSizes[] = {4096, 16562, 53097, 202791};
  constexpr int kMost = 202791;
  std::vector<double> values(kMost, 1.0);
  DeviceBuffer<double> one(values), other(kMost);
  bool right = true;
  for (const int size : kSizes) {
    CHECK_CUDA(cudaMemcpy(one.data(), values.data(), size * sizeof(double), cudaMemcpyDefault));
    double expected = 1.0;
    for (unsigned n = 0; n < kLaunches; ++n) {
      DeviceBuffer<double>& from = n % 2 == 0 ? one : other;
      DeviceBuffer<double>& to = n % 2 == 0 ? other : one;
      bench.launch_at_once("small_scale", small_scale, size / kThreads + 1, kThreads, 0, to.data(),
                           from.data(), size);
      expected *= 0.25;
    }
    const std::vector<double> found = one.download();
    right &= check_equal("small_scale", std::vector<double>(size, expected),
                         std::vector<double>(found.begin(), found.begin() + size));
  }
  return right;
}

}  // namespace raddle::workloads::kernels
