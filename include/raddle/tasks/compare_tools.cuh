// What comparisons of ways to run tasks are made of: the host's clock, streams, memory on both sides.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "joined_copies.h"
#include "table.cuh"

namespace raddle::tasks {

namespace detail {

inline void must(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// The host's time. An event in an idle stream: in the simulator, time passes for the host only in
/// CUDA calls.
class Clock {
 public:
  Clock() {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaEventCreate(&start_));
    must(cudaEventRecord(start_, stream_));
    must(cudaEventSynchronize(start_));
  }
  ~Clock() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    cudaEventDestroy(start_);
    cudaStreamDestroy(stream_);
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  /// A moment, whose number at() takes: now, or the end of what is now in `stream`.
  unsigned mark() { return mark(stream_); }
  unsigned mark(cudaStream_t stream) {
    cudaEvent_t event = nullptr;
    must(cudaEventCreate(&event));
    must(cudaEventRecord(event, stream));
    events_.push_back(event);
    return static_cast<unsigned>(events_.size() - 1);
  }
  /// Microseconds since the clock was made.
  double at(unsigned mark) const {
    float ms = 0;
    must(cudaEventSynchronize(events_[mark]));
    must(cudaEventElapsedTime(&ms, start_, events_[mark]));
    return 1e3 * static_cast<double>(ms);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr;
  std::vector<cudaEvent_t> events_;
};

class Streams {
 public:
  explicit Streams(unsigned count) : streams_(count) {
    for (cudaStream_t& one : streams_) {
      must(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    }
  }
  ~Streams() {
    for (cudaStream_t one : streams_) cudaStreamDestroy(one);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  cudaStream_t operator[](std::size_t i) const { return streams_[i % streams_.size()]; }
  std::size_t size() const { return streams_.size(); }
  void wait() const {
    for (cudaStream_t one : streams_) must(cudaStreamSynchronize(one));
  }

 private:
  std::vector<cudaStream_t> streams_;
};

template <class T>
class PinnedAndDevice {
 public:
  explicit PinnedAndDevice(std::size_t count) : bytes_((count + 1) * sizeof(T)) {
    must(cudaMallocHost(reinterpret_cast<void**>(&host), bytes_));
    must(cudaMalloc(reinterpret_cast<void**>(&device), bytes_));
  }
  ~PinnedAndDevice() {
    cudaFreeHost(host);
    cudaFree(device);
  }
  PinnedAndDevice(const PinnedAndDevice&) = delete;
  PinnedAndDevice& operator=(const PinnedAndDevice&) = delete;

  void send(std::size_t count, cudaStream_t stream) {
    must(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  /// Every byte on both sides becomes 0xff: what is found there afterwards is new.
  void wipe() {
    std::memset(host, 0xff, bytes_);
    must(cudaMemset(device, 0xff, bytes_));
    must(cudaDeviceSynchronize());
  }

  T *host = nullptr, *device = nullptr;

 private:
  std::size_t bytes_;
};

inline void move(const Transfer& what, cudaMemcpyKind kind, cudaStream_t stream) {
  if (what.bytes != 0) must(cudaMemcpyAsync(what.to, what.from, what.bytes, kind, stream));
}

}  // namespace detail

}  // namespace raddle::tasks
