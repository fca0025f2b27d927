// Inputs of tasks that are still on their way to the GPU, where nothing of the task itself is copied
// (Transport::mapped): the task is released when they have come.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "not_ready.h"

namespace raddle::tasks::detail {

/// Words to be written to memory that the GPU reads, in the order of one stream of copies. Called by one
/// thread at a time; the stream's own calls come in between, and wait for no call of CUDA.
class Inputs {
 public:
  Inputs() = default;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  /// When no work is left in the stream.
  ~Inputs() {
    for (const Word& word : waiting_) free_.push_back(word.copied);
    for (cudaEvent_t event : free_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  /// `*to` becomes `value` when all that has been copied in `stream` so far has come; at once, if
  /// everything has. `copying`: something has been since the last call.
  cudaError_t after_copies(std::uint32_t* to, std::uint32_t value, bool copying,
                           cudaStream_t stream) {
    cudaError_t error = glance();
    Word word{to, value, nullptr};
    if (error == cudaSuccess && copying) error = record(word.copied, stream);
    if (error != cudaSuccess) return error;
    const std::lock_guard lock(mutex_);
    if (!copying && waiting_.empty()) {
      write(word);
    } else {
      waiting_.push_back(word);
      ++added_;
    }
    return cudaSuccess;
  }

  /// Writes the words whose inputs have come. Never waits.
  cudaError_t look() {
    while (true) {
      cudaEvent_t copied = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) return cudaSuccess;
        copied = waiting_.front().copied;
        if (copied == nullptr) {
          write_first();
          continue;
        }
      }
      const cudaError_t state = answer(cudaEventQuery(copied));
      if (state != cudaSuccess) return state == cudaErrorNotReady ? cudaSuccess : state;
      const std::lock_guard lock(mutex_);  // the stream may have been here
      if (!waiting_.empty() && waiting_.front().copied == copied) write_first();
    }
  }

  /// The same with one question at most, for those who will be back soon: whether the middle one of
  /// several has come.
  cudaError_t glance() {
    std::size_t middle = 0;
    cudaEvent_t copied = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() < kSeveral) return cudaSuccess;
      for (middle = waiting_.size() / 2; middle != 0; --middle) {
        if (waiting_[middle].copied != nullptr) break;
      }
      copied = waiting_[middle].copied;
    }
    const cudaError_t state = copied != nullptr ? answer(cudaEventQuery(copied)) : cudaSuccess;
    if (state != cudaSuccess) return state == cudaErrorNotReady ? cudaSuccess : state;
    const std::lock_guard lock(mutex_);
    const auto is_copied = [copied](const Word& word) { return word.copied == copied; };
    if (std::none_of(waiting_.begin(), waiting_.end(), is_copied))
      return cudaSuccess;  // the stream
    while (waiting_.front().copied != copied) write_first();
    write_first();
    return cudaSuccess;
  }

  /// Whether words wait for a call.
  bool any_unpromised() {
    const std::lock_guard lock(mutex_);
    return !waiting_.empty() && promised_ != added_;
  }
  /// The words that wait now are written in any case, without another call. Never waits.
  cudaError_t write_by_stream(cudaStream_t stream) {
    {
      const std::lock_guard lock(mutex_);
      targets_.push_back(added_);
    }
    const auto come = [](void* inputs) { static_cast<Inputs*>(inputs)->come(); };
    const cudaError_t asked = cudaLaunchHostFunc(stream, come, this);
    const std::lock_guard lock(mutex_);
    if (asked == cudaSuccess) {
      promised_ = added_;
    } else {
      targets_.pop_back();
    }
    return asked;
  }

  /// No word is written any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  static constexpr std::size_t kSeveral = 4;

  struct Word {
    std::uint32_t* to;
    std::uint32_t value;
    cudaEvent_t copied;  // null: with the word before
  };

  cudaError_t record(cudaEvent_t& event, cudaStream_t stream) {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        event = free_.back();
        free_.pop_back();
      }
    }
    if (event == nullptr) {
      if (const cudaError_t made = make(event); made != cudaSuccess) return made;
    }
    const cudaError_t recorded = cudaEventRecord(event, stream);
    if (recorded != cudaSuccess) {
      const std::lock_guard lock(mutex_);
      free_.push_back(event);
    }
    return recorded;
  }
  /// On the stream's device, which need not be the calling thread's.
  cudaError_t make(cudaEvent_t& event) const {
    int present = device_;
    cudaGetDevice(&present);
    if (present != device_) cudaSetDevice(device_);
    const cudaError_t made = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (present != device_) cudaSetDevice(present);
    return made;
  }
  static int present_device() {
    int device = 0;
    cudaGetDevice(&device);
    return device;
  }
  static void write(const Word& word) { __atomic_store_n(word.to, word.value, __ATOMIC_RELEASE); }
  void write_first() {
    write(waiting_.front());
    if (waiting_.front().copied != nullptr) free_.push_back(waiting_.front().copied);
    waiting_.pop_front();
    ++written_;
  }
  void come() {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    for (; written_ < targets_.front(); write_first()) {
    }
    targets_.pop_front();
  }

  const int device_ = present_device();
  std::mutex mutex_;
  bool closed_ = false;
  std::deque<Word> waiting_;
  std::vector<cudaEvent_t> free_;
  std::uint64_t added_ = 0, written_ = 0, promised_ = 0;  // words
  std::deque<std::uint64_t> targets_;                     // of write_by_stream(), one for each call
};

}  // namespace raddle::tasks::detail
