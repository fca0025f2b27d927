// Elapsed times are positive, add up, and grow with the work.
#include "check.h"

__global__ void spin(float* sink, int rounds) {
  float x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 0.999f + 1.0f;
  sink[threadIdx.x] = x;
}

int main() {
  float* const sink = device_array<float>(32);
  cudaEvent_t events[3];
  for (cudaEvent_t& event : events) CHECK(cudaEventCreate(&event));
  spin<<<1, 32>>>(sink, 10);
  CHECK(cudaEventRecord(events[0]));
  spin<<<1, 32>>>(sink, 1000);
  CHECK(cudaEventRecord(events[1]));
  spin<<<1, 32>>>(sink, 20000);
  CHECK(cudaEventRecord(events[2]));
  CHECK(cudaEventSynchronize(events[2]));
  float brief = 0, lengthy = 0, both = 0;
  CHECK(cudaEventElapsedTime(&brief, events[0], events[1]));
  CHECK(cudaEventElapsedTime(&lengthy, events[1], events[2]));
  CHECK(cudaEventElapsedTime(&both, events[0], events[2]));
  std::printf("%f ms, %f ms, %f ms\n", brief, lengthy, both);
  EXPECT(brief >= 0);
  EXPECT(both >= lengthy);
  EXPECT_CLOSE(brief + lengthy, both, 1e-3 * both + 1e-3);
  cudaEvent_t never;
  CHECK(cudaEventCreate(&never));
  EXPECT(cudaEventElapsedTime(&brief, events[0], never) == cudaErrorInvalidResourceHandle);
  return finish();
}
