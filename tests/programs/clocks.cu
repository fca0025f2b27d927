// Clocks run forward, and longer work takes more cycles.
#include "check.h"

__device__ unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__global__ void measure(long long* out, int rounds) {
  const unsigned long long time = nanoseconds();
  const clock_t start = clock();
  const long long wide_start = clock64();
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < rounds; ++i) x = x * 0.5f + 1.0f;
  const long long wide_end = clock64();
  out[0] = wide_end - wide_start;
  out[1] = static_cast<long long>(clock() - start);
  out[2] = static_cast<long long>(nanoseconds() - time);
  out[3] = static_cast<long long>(x);
}

int main() {
  auto* const out = device_array<long long>(4);
  measure<<<1, 1>>>(out, 10);
  const auto brief = to_host(out, 4);
  measure<<<1, 1>>>(out, 5000);
  const auto lengthy = to_host(out, 4);
  std::printf("%lld and %lld clocks\n", brief[0], lengthy[0]);
  EXPECT(brief[0] > 0);
  EXPECT(lengthy[0] > 5000);
  EXPECT(lengthy[0] > 10 * brief[0]);
  EXPECT(brief[1] >= brief[0]);
  EXPECT(lengthy[2] >= 0);
  EXPECT_EQ(brief[3], 1);  // x tends to 2 from below
  return finish();
}
