// Option prices in single and double precision against the host's error function.
#include "check.h"

template <class T>
__device__ T normal(T x) {
  return T(0.5) * erfc(-x * T(0.70710678118654752440));
}

template <class T>
__global__ void price(const T* spot, const T* strike, const T* years, T rate, T volatility, int n,
                      T* call, T* put) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const T root = sqrt(years[i]);
    const T d1 = (log(spot[i] / strike[i]) + (rate + T(0.5) * volatility * volatility) * years[i]) /
                 (volatility * root);
    const T d2 = d1 - volatility * root;
    const T discounted = strike[i] * exp(-rate * years[i]);
    call[i] = spot[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - spot[i] * normal(-d1);
  }
}

template <class T>
void run(double tolerance) {
  const int n = 500;
  std::vector<T> spot(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    spot[i] = T(5 + 25.0 * (i % 37) / 37);
    strike[i] = T(1 + 40.0 * (i % 101) / 101);
    years[i] = T(0.25 + 9.5 * (i % 53) / 53);
  }
  T *call = device_array<T>(n), *put = device_array<T>(n);
  price<T><<<3, 64>>>(to_device(spot), to_device(strike), to_device(years), T(0.02), T(0.30), n,
                      call, put);
  const std::vector<T> calls = to_host(call, n), puts = to_host(put, n);
  for (int i = 0; i < n; ++i) {
    const double root = std::sqrt(double(years[i]));
    const double d1 =
        (std::log(double(spot[i]) / strike[i]) + (0.02 + 0.045) * years[i]) / (0.30 * root);
    const double d2 = d1 - 0.30 * root;
    const double discounted = strike[i] * std::exp(-0.02 * years[i]);
    const auto cdf = [](double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); };
    EXPECT_CLOSE(calls[i], spot[i] * cdf(d1) - discounted * cdf(d2), tolerance);
    EXPECT_CLOSE(puts[i], discounted * cdf(-d2) - spot[i] * cdf(-d1), tolerance);
  }
}

int main() {
  run<float>(1e-4);
  run<double>(1e-12);
  return finish();
}
