// The generator MRG32k3a of the cuRAND device API. Expected numbers: with seed 0 those of
// L'Ecuyer's published generator (the first is 0.1270111 of 1), others from NVIDIA's
// curand_kernel.h.
#include <curand_kernel.h>

#include "check.h"

struct Draw {
  unsigned long long seed, subsequence, offset;
  unsigned first, second;
  double uniform;
  unsigned after_sequences, after_subsequences;
};

__global__ void draw(const Draw* given, Draw* drawn) {
  const Draw in = given[threadIdx.x];
  Draw& out = drawn[threadIdx.x];
  curandStateMRG32k3a state;
  curand_init(in.seed, in.subsequence, in.offset, &state);
  out.first = static_cast<unsigned>(curand_MRG32k3a(&state));
  out.second = curand(&state);
  curand(&state);
  curand_uniform(&state);
  out.uniform = curand_uniform_double(&state);
  skipahead_sequence(3, &state);
  out.after_sequences = curand(&state);
  curand_normal(&state);
  curand_normal_double(&state);
  skipahead_subsequence(1ull << 50 | 5, &state);
  out.after_subsequences = curand(&state);
}

__global__ void normal(float* out) {
  curandStateMRG32k3a_t state;
  curand_init(7, threadIdx.x, 0, &state);
  for (int i = 0; i < 64; ++i) out[threadIdx.x * 64 + i] = curand_normal(&state);
}

int main() {
  const std::vector<Draw> expected = {
      {0, 0, 0, 545508589, 1368065476, 0x1.c5e5e7c290b24p-3, 3282816210, 2566117622},
      {1234, 7, 0, 1855630186, 1295584944, 0x1.edf65cfb4621fp-3, 2898048138, 3694958516},
      {0xdeadbeef12345, 123456789012, 99999999999, 1337016957, 242900503, 0x1.2c6585013ee1ap-1,
       3496798680, 318821392},
      {5, 1ull << 50, 1ull << 63, 4133524124, 1513368483, 0x1.7e7377383c446p-9, 1208110085,
       2247545218}};
  Draw* drawn = to_device(expected);
  draw<<<1, 4>>>(to_device(expected), drawn);
  const std::vector<Draw> found = to_host(drawn, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ_AT(i, found[i].first, expected[i].first);
    EXPECT_EQ_AT(i, found[i].second, expected[i].second);
    EXPECT_EQ_AT(i, found[i].uniform, expected[i].uniform);
    EXPECT_EQ_AT(i, found[i].after_sequences, expected[i].after_sequences);
    EXPECT_EQ_AT(i, found[i].after_subsequences, expected[i].after_subsequences);
  }
  // Mean and variance of a normal distribution, within four standard errors.
  float* values = device_array<float>(64 * 64);
  normal<<<1, 64>>>(values);
  double sum = 0, squares = 0;
  for (float value : to_host(values, 64 * 64)) sum += value, squares += value * value;
  EXPECT_CLOSE(sum / 4096, 0, 4.0 / 64);
  EXPECT_CLOSE(squares / 4096, 1, 4.0 * 1.42 / 64);
  return finish();
}
