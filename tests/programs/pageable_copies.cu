// Copies from memory that is not pinned go through a pinned buffer (CUDA driver API, "API
// synchronization behavior"): they take longer, and an asynchronous copy returns when the values
// are in the buffer. Speeds of an H200.
// gpu: h200
// compiler: clang
// runs: timed
#include <algorithm>
#include <cstring>

#include "check.h"

constexpr std::size_t kBytes = 8 << 20;
cudaEvent_t before, after;

// Milliseconds on the GPU's clock.
template <typename Copy>
float took(Copy copy) {
  CHECK(cudaEventRecord(before));
  copy();
  CHECK(cudaEventRecord(after));
  CHECK(cudaEventSynchronize(after));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, before, after));
  return milliseconds;
}
double gigabytes_per_second(float milliseconds) { return kBytes / 1e6 / milliseconds; }

__global__ void copy_word(int* to, const int* from) { *to = *from; }

int main() {
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  char *pinned = nullptr, *device = nullptr;
  char* const pageable = static_cast<char*>(std::malloc(kBytes));
  CHECK(cudaMallocHost(&pinned, kBytes));
  CHECK(cudaMalloc(&device, kBytes));
  std::fill_n(pageable, kBytes, 'p');
  std::fill_n(pinned, kBytes, 'q');
  // Measured on an H200: 3.73 and 53.9 GB/s.
  const float slow = took([&] { cudaMemcpy(device, pageable, kBytes, cudaMemcpyHostToDevice); });
  EXPECT_CLOSE(gigabytes_per_second(slow), 3.73, 0.2);
  const float fast = took([&] { cudaMemcpy(device, pinned, kBytes, cudaMemcpyHostToDevice); });
  EXPECT_CLOSE(gigabytes_per_second(fast), 53.9, 2.7);
  const float back = took([&] { cudaMemcpy(pageable, device, kBytes, cudaMemcpyDeviceToHost); });
  EXPECT(back > 4 * fast);
  EXPECT_EQ(pageable[kBytes - 1], 'q');

  // The program may change its memory after an asynchronous call.
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::fill_n(pageable, kBytes, 'r');
  CHECK(cudaMemcpyAsync(device, pageable, kBytes, cudaMemcpyHostToDevice, stream));
  std::fill_n(pageable, kBytes, 's');
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(pageable, device, kBytes, cudaMemcpyDeviceToHost));
  EXPECT_EQ(pageable[0], 'r');
  EXPECT_EQ(pageable[kBytes - 1], 'r');

  // A small one is not waited for, and kernels launched later find its values, in any stream.
  int* const word = device_array<int>(2);
  for (int i = 1; i < 10; ++i) {
    CHECK(cudaMemcpy(word, &i, sizeof i, cudaMemcpyHostToDevice));
    copy_word<<<1, 1, 0, stream>>>(word + 1, word);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT_EQ(to_host(word, 2)[1], i);
  }
  return finish();
}
