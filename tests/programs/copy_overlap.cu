// A kernel, a copy to the device and a copy from it, each in a stream of its own, run at the same
// time.
// runs: timed
#include "check.h"

__global__ void spin(long long cycles, int* ended) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  *ended = 1;
}

struct Span {
  cudaEvent_t start, end;
  Span() {
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
  }
};

// Milliseconds from `first` to `second`: below 0 when it was before.
float between(cudaEvent_t first, cudaEvent_t second) {
  float time = 0;
  CHECK(cudaEventElapsedTime(&time, first, second));
  return time;
}
bool overlap(const Span& a, const Span& b) {
  return between(a.start, b.end) > 0 && between(b.start, a.end) > 0;
}

int main() {
  constexpr std::size_t kBytes = 1 << 20;
  void *in = nullptr, *out = nullptr;
  CHECK(cudaMallocHost(&in, kBytes));
  CHECK(cudaMallocHost(&out, kBytes));
  for (std::size_t i = 0; i < kBytes; ++i) static_cast<unsigned char*>(in)[i] = i % 251;
  auto* const received = device_array<unsigned char>(kBytes);
  auto* const sent = device_array<unsigned char>(kBytes);
  // Of which what a copy costs in any size is but a small part.
  constexpr std::size_t kLarge = 16 << 20;
  void* large = nullptr;
  CHECK(cudaMallocHost(&large, kLarge));
  auto* const large_received = device_array<unsigned char>(2 * kLarge);
  auto* const ended = device_array<int>(1);
  CHECK(cudaMemset(sent, 7, kBytes));
  CHECK(cudaMemset(ended, 0, sizeof(int)));
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  CHECK(cudaDeviceSynchronize());
  Span kernel, down, up, another_down;
  CHECK(cudaEventRecord(kernel.start, streams[0]));
  spin<<<1, 32, 0, streams[0]>>>(1000000, ended);  // longer than the copies
  CHECK(cudaEventRecord(kernel.end, streams[0]));
  CHECK(cudaEventRecord(down.start, streams[1]));
  CHECK(cudaMemcpyAsync(received, in, kBytes, cudaMemcpyHostToDevice, streams[1]));
  CHECK(cudaEventRecord(down.end, streams[1]));
  CHECK(cudaEventRecord(up.start, streams[2]));
  CHECK(cudaMemcpyAsync(out, sent, kBytes, cudaMemcpyDeviceToHost, streams[2]));
  CHECK(cudaEventRecord(up.end, streams[2]));
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel %.3f ms, down %.3f ms, up %.3f ms\n", between(kernel.start, kernel.end),
              between(down.start, down.end), between(up.start, up.end));
  EXPECT(between(kernel.start, down.start) > 0 && between(down.end, kernel.end) > 0);
  EXPECT(between(kernel.start, up.start) > 0 && between(up.end, kernel.end) > 0);
  EXPECT(overlap(down, up));
  const std::vector<unsigned char> there = to_host(received, kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) {
    EXPECT_EQ_AT(static_cast<long>(i), there[i], i % 251);
    EXPECT_EQ_AT(static_cast<long>(i), static_cast<unsigned char*>(out)[i], 7);
  }

  // Two copies in the same direction share the bus: together they take as long as both.
  const auto copy_down = [&](const Span& span, void* to, cudaStream_t stream) {
    CHECK(cudaEventRecord(span.start, stream));
    CHECK(cudaMemcpyAsync(to, large, kLarge, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(span.end, stream));
  };
  copy_down(down, large_received, streams[0]);
  CHECK(cudaDeviceSynchronize());
  const float alone = between(down.start, down.end);
  copy_down(down, large_received, streams[0]);
  copy_down(another_down, large_received + kLarge, streams[1]);
  CHECK(cudaDeviceSynchronize());
  const float both = between(down.start, another_down.end);
  std::printf("one copy %.3f ms, both %.3f ms\n", alone, both);
  EXPECT(both > 1.7f * alone);
  return finish();
}
