// Poisson-distributed numbers of the cuRAND device API, over any of its generators: by multiplying
// uniform numbers where the mean is small (D. Knuth, "The Art of Computer Programming", volume 2,
// section 3.4.1), by inverting the distribution, and as rounded normal numbers where it is large.
#pragma once

#include "curand_distributions.h"

template <class State>
__device__ inline unsigned int __raddle_poisson_product(State* state, double lambda) {
  float product = expf((float)lambda);
  unsigned int factors = 0;
  do {
    ++factors;
    product *= curand_uniform(state);
  } while (product > 1.0f);
  return factors - 1;
}

// The least number that is reached with a probability of `uniform` or more. From the mode, where
// nothing underflows, the sums reach as far as their terms count.
__device__ inline unsigned int __raddle_poisson_inverse(double uniform, double lambda) {
  const double mode = floor(lambda);
  const double at_mode = exp(mode * log(lambda) - lambda - lgamma(mode + 1));
  double below = 0, k = mode;  // probability of less than the mode
  for (double term = at_mode; k > 0 && term > 0x1p-80;) {
    term *= k / lambda;
    k -= 1;
    below += term;
  }
  double term = at_mode;
  k = mode;
  if (uniform > below) {
    // Upwards: below + term is the probability of k or less.
    while (uniform > below + term && term > 0x1p-80) {
      below += term;
      k += 1;
      term *= lambda / k;
    }
    return (unsigned int)k;
  }
  // Downwards: below is the probability of less than k.
  while (uniform <= below && k > 0) {
    term *= k / lambda;
    k -= 1;
    below -= term;
  }
  return (unsigned int)k;
}

template <class State>
__device__ inline unsigned int curand_poisson(State* state, double lambda) {
  if (lambda < 64) return __raddle_poisson_product(state, lambda);
  if (lambda > 4000) {
    return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  }
  return __raddle_poisson_inverse(curand_uniform_double(state), lambda);
}
template <class State>
__device__ inline uint4 curand_poisson4(State* state, double lambda) {
  const unsigned int x = curand_poisson(state, lambda), y = curand_poisson(state, lambda);
  const unsigned int z = curand_poisson(state, lambda);
  return uint4{x, y, z, curand_poisson(state, lambda)};
}
