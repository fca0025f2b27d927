// European options by a binomial tree of 2,048 steps (Cox, Ross & Rubinstein 1979), a block for
// each option. A thread keeps sixteen neighbouring leaves in registers and passes the first one to
// its neighbour through shared memory. It ends when the tree has become too narrow for it. Sizes
// and launches are those of the CUDA sample binomialOptions.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kTreeThreads = 128, kTreeSteps = 2048, kTreeLeaves = kTreeSteps / kTreeThreads;

struct TreeOption {
  float price, strike, step, up, down;  // the logarithm of a step; discounted probabilities
};

__device__ inline float payoff(const TreeOption& option, int leaf) {
  const float profit =
      option.price * __expf(option.step * (2.0f * leaf - kTreeSteps)) - option.strike;
  return profit > 0 ? profit : 0;
}

extern "C" __global__ void binomial_tree(float* values, const TreeOption* options) {
  __shared__ float border[kTreeThreads + 1];
  const int thread = threadIdx.x;
  const TreeOption option = options[blockIdx.x];
  float leaves[kTreeLeaves + 1];
#pragma unroll
  for (int i = 0; i < kTreeLeaves; ++i) leaves[i] = payoff(option, thread * kTreeLeaves + i);
  if (thread == 0) border[kTreeThreads] = payoff(option, kTreeSteps);
  const int last = max(0, thread * kTreeLeaves - 1);
#pragma unroll 16
  for (int step = kTreeSteps; step > 0; --step) {
    border[thread] = leaves[0];
    __syncthreads();
    leaves[kTreeLeaves] = border[thread + 1];
    __syncthreads();
    if (step > last) {
#pragma unroll
      for (int i = 0; i < kTreeLeaves; ++i) {
        leaves[i] = option.up * leaves[i + 1] + option.down * leaves[i];
      }
    }
  }
  if (thread == 0) values[blockIdx.x] = leaves[0];
}

inline bool run_binomial(Bench& bench) {
  constexpr int kOptions = 1024;
  std::vector<TreeOption> options(kOptions);
  for (int i = 0; i < kOptions; ++i) {
    const double years = 0.25 + 9.75 * number(3 * i), interval = years / kTreeSteps;
    const double step = 0.3 * std::sqrt(interval), interest = std::exp(0.06 * interval);
    const double up = (interest - std::exp(-step)) / (std::exp(step) - std::exp(-step));
    options[i] = {5 + 25 * number(3 * i + 1), 1 + 99 * number(3 * i + 2), static_cast<float>(step),
                  static_cast<float>(up / interest), static_cast<float>((1 - up) / interest)};
  }
  DeviceBuffer<TreeOption> trees(options);
  DeviceBuffer<float> values(kOptions);
  bench.launch_at_once("binomial_tree", binomial_tree, kOptions, kTreeThreads, 0, values.data(),
                       trees.data());
  const std::vector<float> all = values.download();
  std::vector<float> expected, found;
  for (int n = 0; n < kOptions; n += 97) {
    const TreeOption& option = options[n];
    std::vector<double> leaves(kTreeSteps + 1);
    for (int i = 0; i <= kTreeSteps; ++i) {
      leaves[i] = std::max(
          0.0, option.price * std::exp(option.step * (2.0 * i - kTreeSteps)) - option.strike);
    }
    for (int step = kTreeSteps; step > 0; --step) {
      for (int i = 0; i < step; ++i)
        leaves[i] = option.up * leaves[i + 1] + option.down * leaves[i];
    }
    expected.push_back(static_cast<float>(leaves[0]));
    found.push_back(all[n]);
  }
  return check_near("binomial_tree", expected, found, 1e-3);
}

}  // namespace raddle::workloads::kernels
