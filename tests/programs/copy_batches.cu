// cuda: 12
// Many copies by one call, cudaMemcpyBatchAsync (CUDA 12.8): in either direction, within the GPU, from memory
// that is not pinned; in the stream's order; wrong batches are refused, with the copy that is wrong up to
// CUDA 12, and nothing is copied.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

#if CUDART_VERSION >= 12080

struct Batch {
  std::vector<void*> to;
  std::vector<const void*> from;
  std::vector<size_t> bytes, firsts{0};
  std::vector<cudaMemcpyAttributes> attributes;
  size_t failed = 12345;

  explicit Batch(cudaMemcpySrcAccessOrder order) {
    cudaMemcpyAttributes one = {};
    one.srcAccessOrder = order;
    attributes.push_back(one);
  }
  void add(void* to_, const void* from_, size_t bytes_) {
    to.push_back(to_);
    from.push_back(from_);
    bytes.push_back(bytes_);
  }
  cudaError_t run(cudaStream_t stream) {
#if CUDART_VERSION >= 13000
    return cudaMemcpyBatchAsync(to.data(), from.data(), bytes.data(), to.size(), attributes.data(),
                                firsts.data(), firsts.size(), stream);
#else
    return cudaMemcpyBatchAsync(to.data(), const_cast<void**>(from.data()), bytes.data(), to.size(),
                                attributes.data(), firsts.data(), firsts.size(), &failed, stream);
#endif
  }
  void expect_refused(cudaStream_t stream, size_t which) {
    EXPECT_EQ(run(stream), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    if (CUDART_VERSION < 13000) EXPECT_EQ(failed, which);
  }
};

constexpr unsigned kCopies = 20, kBytes = 1000;

void every_way(cudaStream_t stream) {
  auto* const device = device_array<unsigned char>(2 * kCopies * kBytes);
  unsigned char *host = nullptr, *back = nullptr;
  CHECK(cudaMallocHost(&host, kCopies * kBytes));
  CHECK(cudaMallocHost(&back, kCopies * kBytes));
  for (unsigned i = 0; i < kCopies * kBytes; ++i)
    host[i] = static_cast<unsigned char>(i * 31 + i / 256);
  std::vector<unsigned char> pageable(host, host + kBytes);
  Batch in(cudaMemcpySrcAccessOrderStream), within(cudaMemcpySrcAccessOrderAny),
      out(cudaMemcpySrcAccessOrderStream);
  for (unsigned i = 0; i < kCopies; ++i) {
    // The first from memory that CUDA does not know; the others from the last to the first.
    const unsigned mirrored = kCopies - 1 - i;
    if (i == 0) {
      in.add(device, pageable.data(), kBytes);
    } else {
      in.add(device + i * kBytes, host + i * kBytes, kBytes - i);
    }
    within.add(device + (kCopies + mirrored) * kBytes, device + i * kBytes, kBytes - i);
    out.add(back + mirrored * kBytes, device + (kCopies + mirrored) * kBytes, kBytes - i);
  }
  cudaMemcpyAttributes during = in.attributes[0];
  during.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  in.attributes.insert(in.attributes.begin(), during);
  in.firsts = {0, 1};
  CHECK(cudaMemsetAsync(device, 0, 2 * kCopies * kBytes, stream));
  CHECK(in.run(stream));
  std::memset(pageable.data(), 0, kBytes);
  CHECK(within.run(stream));
  CHECK(out.run(stream));
  CHECK(cudaStreamSynchronize(stream));
  for (unsigned i = 0; i < kCopies; ++i) {
    const unsigned at = (kCopies - 1 - i) * kBytes;
    EXPECT_EQ_AT(i, std::memcmp(back + at, host + i * kBytes, kBytes - i), 0);
  }
  EXPECT_EQ(in.failed, 12345u);
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(back));
}

void refused(cudaStream_t stream) {
  auto* const device = device_array<unsigned char>(kBytes);
  unsigned char* host = nullptr;
  CHECK(cudaMallocHost(&host, kBytes));
  std::memset(host, 1, kBytes);
  CHECK(cudaMemset(device, 0, kBytes));
  const Batch good = [&] {
    Batch batch(cudaMemcpySrcAccessOrderStream);
    batch.add(device, host, 100);
    batch.add(device + 100, host + 100, 100);
    return batch;
  }();
  Batch(good).expect_refused(nullptr, SIZE_MAX);
  Batch outside = good;
  outside.bytes[1] = kBytes;
  outside.expect_refused(stream, 1);
  Batch orderless = good;
  orderless.attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  orderless.expect_refused(stream, SIZE_MAX);
  Batch late = good;
  late.firsts[0] = 1;
  late.expect_refused(stream, SIZE_MAX);
  Batch beyond = good;
  beyond.firsts.push_back(2);
  beyond.attributes.push_back(beyond.attributes[0]);
  beyond.expect_refused(stream, SIZE_MAX);
  Batch(cudaMemcpySrcAccessOrderStream).expect_refused(stream, SIZE_MAX);
  unsigned char first = 0;
  CHECK(cudaMemcpy(&first, device, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(first, 0);
  CHECK(cudaFreeHost(host));
}

int main() {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  every_way(stream);
  every_way(cudaStreamPerThread);
  refused(stream);
  CHECK(cudaStreamDestroy(stream));
  return finish();
}

#else
int main() { return finish(); }
#endif
