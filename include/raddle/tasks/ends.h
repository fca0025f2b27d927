// How the host learns which tasks have ended: the list of ends (Table::ended) on its way to host
// memory, for which nobody has to wait. Pagoda's lazy aggregate updates (section 4.2.2), behind the
// host's back: it goes on spawning while one is under way.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "not_ready.h"

namespace raddle::tasks {

/// A task that the host has spawned. False for one that was refused.
struct Id {
  std::uint32_t entry = 0;    // + 1
  std::uint32_t use = 0;      // of the entry, from 1
  std::uint32_t runtime = 0;  // whose; each that a process makes has a number of its own, from 1

  explicit operator bool() const { return entry != 0; }
  bool operator==(const Id& other) const { return key() == other.key(); }
  bool operator<(const Id& other) const { return key() < other.key(); }

 private:
  std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> key() const {
    return {runtime, entry, use};
  }
};

namespace detail {

/// One copy at a time, in a stream of its own. Without `from` the list is in host memory that the
/// GPU writes: it is always there. Errors are CUDA's.
class EndCopy {
 public:
  cudaError_t open() {
    const cudaError_t made = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    return made != cudaSuccess ? made : cudaEventCreateWithFlags(&landed_, cudaEventDisableTiming);
  }
  ~EndCopy() {
    if (landed_ != nullptr) cudaEventDestroy(landed_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  EndCopy() = default;
  EndCopy(const EndCopy&) = delete;
  EndCopy& operator=(const EndCopy&) = delete;

  bool under_way() const { return under_way_; }
  cudaError_t start(void* to, const void* from, std::size_t bytes) {
    const cudaError_t sent = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_);
    if (sent != cudaSuccess) return sent;
    under_way_ = true;
    return cudaEventRecord(landed_, stream_);
  }
  /// Whether the one that was under way is there: true once.
  bool landed(cudaError_t* error) {
    if (!under_way_) return false;
    const cudaError_t state = answer(cudaEventQuery(landed_));
    if (state == cudaErrorNotReady) return false;
    under_way_ = false;
    *error = state;
    return state == cudaSuccess;
  }
  /// Until the latest is there. The only member that may be called while others are.
  cudaError_t wait() const { return cudaEventSynchronize(landed_); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t landed_ = nullptr;
  bool under_way_ = false;
};

/// The codes of tasks that have failed: the latest kMost of them.
class Failures {
 public:
  static constexpr std::size_t kMost = 65536;

  void add(Id task, unsigned code) {
    if (order_.size() == kMost) {
      codes_.erase(order_.front());
      order_.pop_front();
    }
    order_.push_back(task);
    codes_[task] = code;
  }
  unsigned code_of(Id task) const {
    const auto found = codes_.find(task);
    return found == codes_.end() ? 0 : found->second;
  }

 private:
  std::deque<Id> order_;
  std::map<Id, unsigned> codes_;
};

}  // namespace detail
}  // namespace raddle::tasks
