// Pi by random points: each thread has a generator of its own; the count must equal the host's.
#include "check.h"

__host__ __device__ inline unsigned next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
__host__ __device__ inline int hits_of(unsigned seed, int points) {
  unsigned state = seed * 2654435761u + 1;
  int hits = 0;
  for (int i = 0; i < points; ++i) {
    const unsigned long long x = next(state) >> 8, y = next(state) >> 8;
    hits += x * x + y * y < 1ull << 48;
  }
  return hits;
}
__global__ void throw_points(int points, unsigned long long* total) {
  const int hits = hits_of(blockIdx.x * blockDim.x + threadIdx.x, points);
  atomicAdd(total, static_cast<unsigned long long>(hits));
}

int main() {
  const int threads = 512, points = 100;
  auto* const total = to_device<unsigned long long>({0});
  throw_points<<<4, threads / 4>>>(points, total);
  const auto hits = to_host(total, 1)[0];
  unsigned long long expected = 0;
  for (int t = 0; t < threads; ++t) expected += hits_of(t, points);
  EXPECT(hits == expected);
  EXPECT_CLOSE(4.0 * hits / (threads * points), 3.14159, 0.05);
  return finish();
}
