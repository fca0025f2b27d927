// Philox4x32-10 (J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011): a
// counter put through ten rounds, which give four numbers.
#pragma once

#include "../cuda_runtime.h"

struct curandStatePhilox4_32_10 {
  uint4 counter;
  uint4 output;
  uint2 key;
  unsigned int used;  // numbers of the output given away
  bool has_normal, has_normal_double;
  float normal;
  double normal_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
    const unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
    c = uint4{high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

// Adds to the low or the high 64 bits of the counter, with a carry between them.
__device__ inline void __raddle_philox_add(uint4& c, unsigned long long low,
                                           unsigned long long high) {
  const unsigned long long before = ((unsigned long long)c.y << 32) | c.x;
  const unsigned long long sum = before + low;
  high += (((unsigned long long)c.w << 32) | c.z) + (sum < before);
  c = uint4{(unsigned int)sum, (unsigned int)(sum >> 32), (unsigned int)high,
            (unsigned int)(high >> 32)};
}

__device__ inline unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int numbers[4] = {state->output.x, state->output.y, state->output.z,
                                   state->output.w};
  const unsigned int number = numbers[state->used];
  if (++state->used == 4) {
    state->used = 0;
    __raddle_philox_add(state->counter, 1, 0);
    state->output = curand_Philox4x32_10(state->counter, state->key);
  }
  return number;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10* state) {
  uint4 numbers;
  numbers.x = curand(state);
  numbers.y = curand(state);
  numbers.z = curand(state);
  numbers.w = curand(state);
  return numbers;
}
__device__ inline void skipahead(unsigned long long steps, curandStatePhilox4_32_10* state) {
  const unsigned int used = state->used + (unsigned int)(steps & 3);
  __raddle_philox_add(state->counter, steps / 4 + used / 4, 0);
  state->used = used % 4;
  state->output = curand_Philox4x32_10(state->counter, state->key);
}
__device__ inline void skipahead_sequence(unsigned long long sequences,
                                          curandStatePhilox4_32_10* state) {
  __raddle_philox_add(state->counter, 0, sequences);
  state->output = curand_Philox4x32_10(state->counter, state->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStatePhilox4_32_10* state) {
  state->counter = uint4{0, 0, 0, 0};
  state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
  state->used = 0;
  state->has_normal = state->has_normal_double = false;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
