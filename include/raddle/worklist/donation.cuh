// Work donating: threads of a block with more work than its average give the rest away.
#pragma once

#include "lanes.cuh"
#include "types.h"

namespace raddle::worklist::detail {

/// Work ids that the threads of a block have given away, in shared memory.
class Donations {
 public:
  /// All threads of the block call it.
  __device__ void clear() {
    if (threadIdx.x == 0) work_ = given_ = taken_ = 0;
    __syncthreads();
  }
  /// Returns the average work of the block's threads; `own` is the calling thread's work. All
  /// threads of the block call it.
  __device__ unsigned long long average(unsigned long long own) {
    atomicAdd(&work_, own);
    __syncthreads();
    return (work_ + blockDim.x - 1) / blockDim.x;
  }
  /// Returns false when the buffer is full.
  __device__ bool give(std::uint32_t id) {
    const unsigned at = atomicAdd(&given_, 1u);
    if (at < kMost) ids_[at] = id;
    return at < kMost;
  }
  /// Returns kDone when no donated work id is left.
  __device__ std::uint32_t take() {
    const unsigned at = atomicAdd(&taken_, 1u);
    return at < kMost && at < given_ ? ids_[at] : kDone;
  }

 private:
  static constexpr unsigned kMost = 1024;
  unsigned long long work_;
  unsigned given_, taken_;
  std::uint32_t ids_[kMost];
};

/// The work ids that a thread keeps, of those that its worker pulls: the first `kept`, and those
/// that `rest` pulls. It has donated the others, which exceed the block's average.
template <class Worker>
struct Share {
  unsigned kept;
  Worker rest;
};

/// All threads of the block call it. They synchronize before the first take().
template <class Worker, class Estimate>
__device__ Share<Worker> donate(const Worker& worker, Estimate estimate, Donations& donations) {
  donations.clear();
  unsigned long long own = 0;
  unsigned count = 0;
  Worker all = worker;
  for (std::uint32_t id; (id = all.pull()) != kDone; ++count) {
    if (id != kWait) own += estimate(id);
  }
  const unsigned long long average = donations.average(own);
  unsigned kept = 0;
  Worker scan = worker;
  for (unsigned long long work = 0; kept < count; ++kept) {
    const Worker before = scan;
    const std::uint32_t id = scan.pull();
    if (id != kWait) work += estimate(id);
    if (kept == 0 || work <= average) continue;
    scan = before;
    break;
  }
  for (unsigned at = kept; at < count; ++at) {
    const Worker before = scan;
    const std::uint32_t id = scan.pull();
    if (id == kWait || donations.give(id)) continue;
    return {kept, before};
  }
  return {kept, all};
}

}  // namespace raddle::worklist::detail
