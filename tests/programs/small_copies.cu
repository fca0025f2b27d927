// gpu: titanx-pascal
// runs: timed
// Small copies one after the other: each occupies its engine for host.copy_setup (1 us), not for
// the whole latency of a copy (10 us). A single copy takes the whole latency.
#include "check.h"

int main() {
  constexpr int kCopies = 200;
  int* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, kCopies * sizeof(int)));
  int* const array = device_array<int>(kCopies);
  for (int i = 0; i < kCopies; ++i) pinned[i] = i;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  const auto copy = [&](int count) {
    CHECK(cudaEventRecord(start, stream));
    for (int i = 0; i < count; ++i) {
      CHECK(cudaMemcpyAsync(array + i, pinned + i, sizeof(int), cudaMemcpyHostToDevice, stream));
    }
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, end));
    return 1e3 * ms;
  };
  const double alone = copy(1), many = copy(kCopies);
  std::printf("one %.2f us, %d together %.2f us\n", alone, kCopies, many);
  EXPECT(alone >= 10);
  EXPECT(many < 0.25 * kCopies * alone);
  const std::vector<int> found = to_host(array, kCopies);
  for (int i = 0; i < kCopies; ++i) EXPECT_EQ_AT(i, found[i], i);
  return finish();
}
