// Time as the host and the GPU's streams see it: events, and kernels that hold a stream back.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "common/device_buffer.h"

namespace raddle::workloads::micro {

class Stream {
 public:
  Stream() { CHECK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { CHECK_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// The time between two moments, in one stream or in two.
class Stopwatch {
 public:
  Stopwatch() {
    CHECK_CUDA(cudaEventCreate(&start_));
    CHECK_CUDA(cudaEventCreate(&end_));
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start(cudaStream_t stream) { CHECK_CUDA(cudaEventRecord(start_, stream)); }
  void stop(cudaStream_t stream) { CHECK_CUDA(cudaEventRecord(end_, stream)); }
  /// Waits for the end.
  double microseconds() const {
    float milliseconds = 0;
    CHECK_CUDA(cudaEventSynchronize(end_));
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start_, end_));
    return milliseconds * 1e3;
  }
  cudaEvent_t began() const { return start_; }

 private:
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

/// The median of several tries.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Measure>
double median_of(int tries, Measure measure) {
  std::vector<double> found;
  for (int i = 0; i < tries; ++i) found.push_back(measure());
  return median(found);
}

/// Pinned memory of the host, which kernels can use by the same address.
template <class T>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    CHECK_CUDA(
        cudaHostAlloc(reinterpret_cast<void**>(&data_), size * sizeof(T), cudaHostAllocMapped));
  }
  ~PinnedBuffer() { cudaFreeHost(data_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  T* data() { return data_; }
  T& operator[](std::size_t index) { return data_[index]; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

__global__ void wait_until_open(const volatile unsigned* open) {
  while (*open == 0) asm volatile("nanosleep.u32 500;");
}

/// Holds a stream back until all work is in it, so that the GPU never waits for the host.
class Gate {
 public:
  Gate() : open_(1) {}
  void close(cudaStream_t stream) {
    open_[0] = 0;
    wait_until_open<<<1, 1, 0, stream>>>(open_.data());
    CHECK_CUDA(cudaGetLastError());
  }
  void open() { *const_cast<volatile unsigned*>(open_.data()) = 1; }

 private:
  PinnedBuffer<unsigned> open_;
};

/// The median time, in microseconds, of the work that `work` enqueues in a stream, without the
/// host's part. `work` runs once beforehand: code that is loaded at its first use may wait for the
/// whole GPU, which would never be idle while the gate is closed.
template <class Work>
double time_in_stream(cudaStream_t stream, int tries, Work work) {
  Gate gate;
  Stopwatch watch;
  work();
  CHECK_CUDA(cudaDeviceSynchronize());
  return median_of(tries, [&] {
    gate.close(stream);
    watch.start(stream);
    work();
    watch.stop(stream);
    gate.open();
    return watch.microseconds();
  });
}

}  // namespace raddle::workloads::micro
