// Distributions of the cuRAND device API, over any of its generators. Uniform numbers lie in (0,
// 1]; normal ones come in pairs from the Box-Muller transform.
#pragma once

#include "../cuda_runtime.h"

// The middle of each interval of the generator's numbers.
__device__ inline float _curand_uniform(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
__device__ inline double __raddle_uniform_53(unsigned int x, unsigned int y) {
  const unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return z * 0x1p-53 + 0x1p-54;
}

template <class State>
__device__ inline float curand_uniform(State* state) {
  return _curand_uniform(curand(state));
}
template <class State>
__device__ inline double curand_uniform_double(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return __raddle_uniform_53(x, y);
}
template <class State>
__device__ inline float4 curand_uniform4(State* state) {
  const uint4 x = curand4(state);
  return float4{_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                _curand_uniform(x.w)};
}
template <class State>
__device__ inline double2 curand_uniform2_double(State* state) {
  const double first = curand_uniform_double(state);
  return double2{first, curand_uniform_double(state)};
}

__device__ inline float2 _curand_box_muller(unsigned int x, unsigned int y) {
  const float two_pi = 0x1.921fb6p+2f;
  const float radius = sqrtf(-2.0f * logf(_curand_uniform(x)));
  float sine, cosine;
  sincosf(y * (0x1p-32f * two_pi) + 0x1p-33f * two_pi, &sine, &cosine);
  return float2{sine * radius, cosine * radius};
}
__device__ inline double2 _curand_box_muller_double(unsigned int x0, unsigned int x1,
                                                    unsigned int y0, unsigned int y1) {
  const double radius = sqrt(-2.0 * log(__raddle_uniform_53(x0, x1)));
  double sine, cosine;
  sincospi(2 * __raddle_uniform_53(y0, y1), &sine, &cosine);
  return double2{sine * radius, cosine * radius};
}

template <class State>
__device__ inline float2 curand_normal2(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_box_muller(x, y);
}
template <class State>
__device__ inline double2 curand_normal2_double(State* state) {
  const unsigned int x0 = curand(state), x1 = curand(state);
  const unsigned int y0 = curand(state), y1 = curand(state);
  return _curand_box_muller_double(x0, x1, y0, y1);
}
template <class State>
__device__ inline float4 curand_normal4(State* state) {
  const float2 first = curand_normal2(state), second = curand_normal2(state);
  return float4{first.x, first.y, second.x, second.y};
}

// One of a pair; the other is kept for the next call.
template <class State>
__device__ inline float curand_normal(State* state) {
  if (state->has_normal) {
    state->has_normal = false;
    return state->normal;
  }
  const float2 pair = curand_normal2(state);
  state->has_normal = true;
  state->normal = pair.y;
  return pair.x;
}
template <class State>
__device__ inline double curand_normal_double(State* state) {
  if (state->has_normal_double) {
    state->has_normal_double = false;
    return state->normal_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->has_normal_double = true;
  state->normal_double = pair.y;
  return pair.x;
}

template <class State>
__device__ inline float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
__device__ inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
