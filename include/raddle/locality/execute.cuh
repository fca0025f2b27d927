// The GPU's part: one kernel, in which each thread executes `strip` neighbours of the merged queue.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "function.h"
#include "walk.cuh"

namespace raddle::locality::detail {

/// Throws Error unless the call was a success. The error is told here, and is not CUDA's last one any
/// more, unless it is one of those that stay.
inline void require(cudaError_t error, const std::string& call) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw Error("locality: " + call + ": " + cudaGetErrorName(error) + ": " +
              cudaGetErrorString(error));
}

/// Room for values, on the host (pinned, so that copies run at the bus's speed) or on the GPU. Grows
/// when more is needed, and is kept until then.
enum class Place { host, device };
template <class T, Place kPlace>
class Room {
 public:
  Room() = default;
  ~Room() { release(); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  /// What was in it is lost.
  T* reserve(std::size_t count) {
    if (count <= capacity_) return data_;
    release();
    const std::size_t bytes = count * sizeof(T);
    void* data = nullptr;
    if constexpr (kPlace == Place::host) {
      require(cudaMallocHost(&data, bytes), "cudaMallocHost" + advice(bytes));
    } else {
      require(cudaMalloc(&data, bytes), "cudaMalloc" + advice(bytes));
    }
    data_ = static_cast<T*>(data);
    capacity_ = count;
    return data_;
  }
  T* data() const { return data_; }

 private:
  static std::string advice(std::size_t bytes) {
    return " of " + std::to_string(bytes) +
           " bytes (a threshold that makes fewer tasks, or fewer iterations at once, need less)";
  }
  void release() {
    if constexpr (kPlace == Place::host) {
      cudaFreeHost(data_);
    } else {
      cudaFree(data_);
    }
    data_ = nullptr;
    capacity_ = 0;
  }

  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Times of one stream, between marks.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream = nullptr) : stream_(stream) {
    for (cudaEvent_t& event : events_) require(cudaEventCreate(&event), "cudaEventCreate");
  }
  ~Stopwatch() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void mark(unsigned which) {
    require(cudaEventRecord(events_[which], stream_), "cudaEventRecord");
  }
  double us(unsigned from, unsigned to) const {
    float ms = 0;
    require(cudaEventElapsedTime(&ms, events_[from], events_[to]), "cudaEventElapsedTime");
    return 1e3 * static_cast<double>(ms);
  }

 private:
  const cudaStream_t stream_;
  cudaEvent_t events_[4] = {};
};

/// `seeds`: with what each iteration's tasks begin; null: with the reducer's identity. `overflown` is
/// set where a thread's stack was too small.
template <class F>
__global__ void execute(const F function, const TaskOf<F>* __restrict__ tasks, std::uint32_t places,
                        std::uint32_t strip, const ValueOf<F>* __restrict__ seeds,
                        ValueOf<F>* __restrict__ values, unsigned* __restrict__ overflown) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint64_t first = std::uint64_t{thread} * strip;
  for (std::uint64_t place = first; place < first + strip && place < places; ++place) {
    const TaskOf<F> task = tasks[place];
    if (task.iteration == kNoIteration) continue;
    Walk<F> walk(seeds != nullptr ? seeds[task.iteration] : ReducerOf<F>::Type::identity());
    if (!walk.run(function, task.iteration, task.argument)) *overflown = 1;
    values[place] = walk.value();
  }
}

}  // namespace raddle::locality::detail
