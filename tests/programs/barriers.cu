// Reducing barriers, and named barriers between a producing and a consuming warp.
#include "check.h"

__global__ void reduce(int* out) {
  const int i = threadIdx.x;
  out[i * 3] = __syncthreads_count(i % 3 == 0);
  out[i * 3 + 1] = __syncthreads_and(i < 96) ? 1 : 0;
  out[i * 3 + 2] = __syncthreads_or(i == 95) ? 1 : 0;
}
__global__ void relay(const int* in, int* out, int rounds) {
  __shared__ volatile int slot[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 2, 64;" ::: "memory");  // the slot is free
      slot[lane] = in[r * 32 + lane] * 3;
      asm volatile("bar.sync 1, 64;" ::: "memory");  // the slot is full
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 2, 64;" ::: "memory");
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[r * 32 + lane] = slot[31 - lane];
    }
  }
}

int main() {
  int* const out = device_array<int>(96 * 3);
  reduce<<<1, 96>>>(out);
  const auto found = to_host(out, 96 * 3);
  for (int i = 0; i < 96; ++i) {
    EXPECT_EQ_AT(i, found[i * 3], 32);
    EXPECT_EQ_AT(i, found[i * 3 + 1], 1);
    EXPECT_EQ_AT(i, found[i * 3 + 2], 1);
  }
  const int rounds = 9;
  std::vector<int> in(rounds * 32);
  for (int i = 0; i < rounds * 32; ++i) in[i] = i * i;
  int* const relayed = device_array<int>(in.size());
  relay<<<1, 64>>>(to_device(in), relayed, rounds);
  const auto passed = to_host(relayed, in.size());
  for (int i = 0; i < rounds * 32; ++i) {
    EXPECT_EQ_AT(i, passed[i], 3 * in[i / 32 * 32 + 31 - i % 32]);
  }
  return finish();
}
