// European options by Monte Carlo simulation (Podlozhnyuk & Harris, "Monte Carlo Option Pricing",
// NVIDIA 2008): a block for each option. Threads draw normal numbers, two at a time, by Marsaglia's
// xorwow generator (2003) and the transformation of Box & Muller (1958), and sum the payoffs. Sizes
// and launches are those of the CUDA sample MonteCarloMultiGPU. The compared value is the number of
// paths a second of a full GPU: the measured run has 8,192 options, this one as many as fill the
// GPU.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kPathThreads = 256, kPathsOfThread = 256;

struct PathOption {
  float price, strike, drift, spread;
};

struct Generator {
  unsigned word[5], counter;
  float second;
  bool has_second;

  __device__ unsigned next() {
    const unsigned mixed = word[0] ^ word[0] >> 2;
    for (int i = 0; i < 4; ++i) word[i] = word[i + 1];
    word[4] = (word[4] ^ word[4] << 4) ^ (mixed ^ mixed << 1);
    counter += 362437;
    return word[4] + counter;
  }
  __device__ float normal() {
    if (has_second) {
      has_second = false;
      return second;
    }
    const float radius = (next() + 0.5f) * 0x1p-32f;
    const float angle = (next() + 0.5f) * (6.2831855f * 0x1p-32f);
    const float scale = sqrtf(-2.0f * logf(radius));
    float sine, cosine;
    __sincosf(angle, &sine, &cosine);
    second = cosine * scale;
    has_second = true;
    return sine * scale;
  }
};

extern "C" __global__ void price_by_paths(float2* values, const PathOption* options,
                                          const uint2* seeds, int paths) {
  __shared__ float sums[kPathThreads], squares[kPathThreads];
  const int thread = threadIdx.x;
  const uint2 seed = seeds[blockIdx.x * kPathThreads + thread];
  Generator generator{{seed.x, seed.y, 362436069, 521288629, 88675123}, 6615241, 0, false};
  const PathOption option = options[blockIdx.x];
  float sum = 0, square = 0;
  for (int i = thread; i < paths; i += kPathThreads) {
    const float end = option.price * __expf(option.drift + option.spread * generator.normal());
    const float profit = end - option.strike;
    const float value = profit > 0 ? profit : 0;
    sum += value;
    square += value * value;
  }
  sums[thread] = sum;
  squares[thread] = square;
  for (int stride = kPathThreads / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (thread < stride) {
      sums[thread] += sums[thread + stride];
      squares[thread] += squares[thread + stride];
    }
  }
  if (thread == 0) values[blockIdx.x] = make_float2(sums[0], squares[0]);
}

/// Prices options of one year without interest, and compares them with the formula of Black and
/// Scholes.
inline bool run_monte_carlo(Bench& bench) {
  int multiprocessors = 0, threads = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  const int count = multiprocessors * threads / kPathThreads;
  constexpr int kPaths = kPathThreads * kPathsOfThread;
  std::vector<PathOption> options(count);
  std::vector<uint2> seeds(static_cast<std::size_t>(count) * kPathThreads);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    seeds[i].x = static_cast<unsigned>(number(2 * at) * 0x1p32) | 1;
    seeds[i].y = static_cast<unsigned>(number(2 * at + 1) * 0x1p32) | 2;
  }
  for (int i = 0; i < count; ++i) {
    const float volatility = 0.1f + 0.3f * number(i);
    options[i] = {100, 80 + 40 * number(count + i), -volatility * volatility / 2, volatility};
  }
  DeviceBuffer<PathOption> of(options);
  DeviceBuffer<uint2> from(seeds);
  DeviceBuffer<float2> values(count);
  bench.launch_at_once("price_by_paths", price_by_paths, count, kPathThreads, 0, values.data(),
                       of.data(), from.data(), kPaths);
  const std::vector<float2> all = values.download();
  std::vector<float> expected, found;
  for (int i = 0; i < count; ++i) {
    const PathOption& option = options[i];
    const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    const double d2 = (std::log(option.price / option.strike) + option.drift) / option.spread;
    const double value = option.price * below(d2 + option.spread) - option.strike * below(d2);
    expected.push_back(static_cast<float>(value / 100));
    found.push_back(all[i].x / kPaths / 100);
  }
  return check_near("price_by_paths", expected, found, 0.02);
}

}  // namespace raddle::workloads::kernels
