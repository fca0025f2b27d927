// European calls and puts by the formula of Black & Scholes (1973), two options a thread. A
// polynomial approximates the normal distribution (Abramowitz & Stegun 26.2.17). Sizes and launches
// are those of the CUDA sample BlackScholes.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr unsigned kPriceThreads = 128;

__device__ inline float normal_below(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * __expf(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__device__ inline void price_option(float& call, float& put, float price, float strike, float years,
                                    float interest, float volatility) {
  const float root = __fdividef(1.0f, rsqrtf(years));
  const float d1 =
      __fdividef(__logf(price / strike) + (interest + 0.5f * volatility * volatility) * years,
                 volatility * root);
  const float d2 = d1 - volatility * root;
  const float below1 = normal_below(d1), below2 = normal_below(d2);
  const float discount = __expf(-interest * years);
  call = price * below1 - strike * discount * below2;
  put = strike * discount * (1.0f - below2) - price * (1.0f - below1);
}

extern "C" __global__ void price_options(float2* calls, float2* puts, const float2* prices,
                                         const float2* strikes, const float2* years, float interest,
                                         float volatility, unsigned count) {
  const unsigned at = kPriceThreads * blockIdx.x + threadIdx.x;
  if (at >= count / 2) return;
  const float2 price = prices[at], strike = strikes[at], time = years[at];
  float2 call, put;
  price_option(call.x, put.x, price.x, strike.x, time.x, interest, volatility);
  price_option(call.y, put.y, price.y, strike.y, time.y, interest, volatility);
  calls[at] = call;
  puts[at] = put;
}

inline bool run_black_scholes(Bench& bench) {
  constexpr unsigned kCount = 4000000, kLaunches = 2;
  constexpr float kInterest = 0.02f, kVolatility = 0.3f;
  const std::vector<float> prices = numbers(kCount, 5, 30), strikes = numbers(kCount, 1, 100),
                           years = numbers(kCount, 0.25f, 10);
  DeviceBuffer<float> s(prices), x(strikes), t(years), calls(kCount), puts(kCount);
  const auto pairs = [](DeviceBuffer<float>& of) { return reinterpret_cast<float2*>(of.data()); };
  for (unsigned n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("price_options", price_options, blocks_for(kCount / 2, kPriceThreads),
                         kPriceThreads, 0, pairs(calls), pairs(puts), pairs(s), pairs(x), pairs(t),
                         kInterest, kVolatility, kCount);
  }
  const std::vector<float> all = calls.download();
  std::vector<float> expected, found;
  for (unsigned i = 0; i < kCount; i += 1009) {
    const auto below = [](double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; };
    const double spread = kVolatility * std::sqrt(double{years[i]});
    const double d1 =
        (std::log(double{prices[i]} / strikes[i]) + kInterest * double{years[i]}) / spread +
        spread / 2;
    expected.push_back(static_cast<float>(prices[i] * below(d1) -
                                          strikes[i] * std::exp(-kInterest * double{years[i]}) *
                                              below(d1 - spread)));
    found.push_back(all[i]);
  }
  return check_near("price_options", expected, found, 1e-3);
}

}  // namespace raddle::workloads::kernels
