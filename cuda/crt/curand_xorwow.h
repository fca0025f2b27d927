// XORWOW (G. Marsaglia, "Xorshift RNGs", 2003): a 160-bit shift register and a counter.
#pragma once

#include "../cuda_runtime.h"
#include "xorwow_jumps.h"

struct curandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  bool has_normal, has_normal_double;  // the second value of the last pair
  float normal;
  double normal_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

__device__ inline void __raddle_xorwow_step(unsigned int v[5]) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

// Adds up the states that the polynomial's coefficients name.
__device__ inline void __raddle_xorwow_jump(unsigned int v[5], const unsigned int polynomial[5]) {
  unsigned int sum[5] = {};
  for (int i = 0; i < 160; ++i) {
    if (polynomial[i / 32] >> (i % 32) & 1) {
      for (int word = 0; word < 5; ++word) sum[word] ^= v[word];
    }
    __raddle_xorwow_step(v);
  }
  for (int word = 0; word < 5; ++word) v[word] = sum[word];
}

__device__ inline unsigned int curand(curandStateXORWOW* state) {
  __raddle_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}
__device__ inline void skipahead(unsigned long long steps, curandStateXORWOW* state) {
  state->d += 362437 * (unsigned int)steps;
  for (int k = 0; steps != 0; ++k, steps >>= 1) {
    if (steps & 1) __raddle_xorwow_jump(state->v, __raddle_xorwow_steps[k]);
  }
}
// 2^67 steps a sequence, which leave the counter as it is.
__device__ inline void skipahead_sequence(unsigned long long sequences, curandStateXORWOW* state) {
  for (int k = 0; sequences != 0; ++k, sequences >>= 1) {
    if (sequences & 1) __raddle_xorwow_jump(state->v, __raddle_xorwow_sequences[k]);
  }
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* state) {
  const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241 + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
  state->has_normal = state->has_normal_double = false;
}
