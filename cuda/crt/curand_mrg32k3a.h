// MRG32k3a (P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive
// Random Number Generators", 1999): two recurrences of order 3, whose difference is the number. As
// in its package of streams (2002), a subsequence is 2^76 numbers and a sequence 2^127.
#pragma once

#include "../cuda_runtime.h"
#include "curand_distributions.h"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  bool has_normal, has_normal_double;
  float normal;
  double normal_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

#define __RADDLE_MRG_MODULUS_1 4294967087u
#define __RADDLE_MRG_MODULUS_2 4294944443u

// The matrices that advance the recurrences by 2^k numbers.
struct __raddle_mrg_jumps {
  static constexpr int kPowers = 191;
  unsigned int first[kPowers][9], second[kPowers][9];

  static constexpr void square(const unsigned int (&a)[9], unsigned int (&result)[9],
                               unsigned long long modulus) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k) {
          sum += (unsigned long long)a[3 * row + k] * a[3 * k + column] % modulus;
        }
        result[3 * row + column] = (unsigned int)(sum % modulus);
      }
    }
  }
  constexpr __raddle_mrg_jumps() : first{}, second{} {
    const unsigned int step1[9] = {0, 1, 0, 0, 0, 1, __RADDLE_MRG_MODULUS_1 - 810728, 1403580, 0};
    const unsigned int step2[9] = {0, 1, 0, 0, 0, 1, __RADDLE_MRG_MODULUS_2 - 1370589, 0, 527612};
    for (int i = 0; i < 9; ++i) first[0][i] = step1[i], second[0][i] = step2[i];
    for (int k = 1; k < kPowers; ++k) {
      square(first[k - 1], first[k], __RADDLE_MRG_MODULUS_1);
      square(second[k - 1], second[k], __RADDLE_MRG_MODULUS_2);
    }
  }
};
__device__ static const __raddle_mrg_jumps __raddle_mrg_powers;

__device__ inline void __raddle_mrg_advance(unsigned int state[3], const unsigned int matrix[9],
                                            unsigned long long modulus) {
  unsigned int next[3];
  for (int row = 0; row < 3; ++row) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += (unsigned long long)matrix[3 * row + k] * state[k] % modulus;
    }
    next[row] = (unsigned int)(sum % modulus);
  }
  for (int k = 0; k < 3; ++k) state[k] = next[k];
}
// count * 2^power numbers
__device__ inline void __raddle_mrg_jump(curandStateMRG32k3a* state, unsigned long long count,
                                         int power) {
  for (; count != 0 && power < __raddle_mrg_jumps::kPowers; count >>= 1, ++power) {
    if ((count & 1) == 0) continue;
    __raddle_mrg_advance(state->s1, __raddle_mrg_powers.first[power], __RADDLE_MRG_MODULUS_1);
    __raddle_mrg_advance(state->s2, __raddle_mrg_powers.second[power], __RADDLE_MRG_MODULUS_2);
  }
}
__device__ inline void skipahead(unsigned long long steps, curandStateMRG32k3a* state) {
  __raddle_mrg_jump(state, steps, 0);
}
// cuRAND: "truncated to 51 bits to avoid running into the next sequence".
__device__ inline void skipahead_subsequence(unsigned long long subsequences,
                                             curandStateMRG32k3a* state) {
  __raddle_mrg_jump(state, subsequences & ((1ull << 51) - 1), 76);
}
__device__ inline void skipahead_sequence(unsigned long long sequences,
                                          curandStateMRG32k3a* state) {
  __raddle_mrg_jump(state, sequences, 127);
}

// From 1 to the first modulus.
__device__ inline double curand_MRG32k3a(curandStateMRG32k3a* state) {
  unsigned int* const a = state->s1;
  unsigned int* const b = state->s2;
  const unsigned long long m1 = __RADDLE_MRG_MODULUS_1, m2 = __RADDLE_MRG_MODULUS_2;
  const unsigned long long x = (1403580ull * a[1] + 810728ull * (m1 - a[0])) % m1;
  const unsigned long long y = (527612ull * b[2] + 1370589ull * (m2 - b[0])) % m2;
  a[0] = a[1], a[1] = a[2], a[2] = (unsigned int)x;
  b[0] = b[1], b[1] = b[2], b[2] = (unsigned int)y;
  return (double)(x > y ? x - y : x + m1 - y);
}
__device__ inline unsigned int curand(curandStateMRG32k3a* state) {
  return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);  // onto all of 32 bits
}
__device__ inline double curand_uniform_double(curandStateMRG32k3a* state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;  // 1 / (modulus + 1)
}
__device__ inline float curand_uniform(curandStateMRG32k3a* state) {
  return (float)curand_uniform_double(state);
}
__device__ inline float2 curand_normal2(curandStateMRG32k3a* state) {
  const float radius = sqrtf(-2.0f * logf(curand_uniform(state)));
  float sine, cosine;
  sincosf(curand_uniform(state) * 0x1.921fb6p+2f, &sine, &cosine);
  return float2{sine * radius, cosine * radius};
}
__device__ inline double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
  double sine, cosine;
  sincospi(2 * curand_uniform_double(state), &sine, &cosine);
  return double2{sine * radius, cosine * radius};
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateMRG32k3a* state) {
  // No seed: the published generator.
  const unsigned int low = seed == 0 ? 1 : (unsigned int)seed ^ 0x55555555u;
  const unsigned int high = seed == 0 ? 1 : (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
  const unsigned long long m1 = __RADDLE_MRG_MODULUS_1, m2 = __RADDLE_MRG_MODULUS_2;
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = (unsigned int)(12345ull * (i == 1 ? high : low) % m1);
    state->s2[i] = (unsigned int)(12345ull * (i == 1 ? low : high) % m2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->has_normal = state->has_normal_double = false;
}
