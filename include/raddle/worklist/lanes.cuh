// Operations of the lanes of a warp that are at the same place, and of the threads of a block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace raddle::worklist::detail {

inline constexpr unsigned kWarp = 32;

/// Reads a value that other blocks write. Bypasses the L1 cache, which may hold an old value.
template <class T>
__device__ T fresh(const T& value) {
  return *static_cast<const volatile T*>(&value);
}

/// Returns the value, but hides from the compiler what it is. A loop that may wait first tests
/// whether to leave, and then, on a hidden value, whether to wait. Without hiding, a compiler may
/// exchange the two tests. Then waiting lanes go back to the next pull without the other lanes of
/// their warp. On GPUs with a reconvergence stack those proceed only after the waiting lanes have
/// left the loop.
__device__ inline std::uint32_t hidden(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

/// The lanes of the calling thread's warp that are active here. All of them must make each call
/// below. Blocks have one dimension.
class Lanes {
 public:
  __device__ Lanes() : mask_(__activemask()) {}

  __device__ unsigned count() const { return static_cast<unsigned>(__popc(mask_)); }
  /// Index of the calling thread among these lanes.
  __device__ unsigned rank() const { return static_cast<unsigned>(__popc(mask_ & before())); }
  __device__ bool leads() const { return (mask_ & before()) == 0; }
  /// Returns the value of the leader, the first of these lanes.
  template <class T>
  __device__ T broadcast(T value) const {
    return __shfl_sync(mask_, value, __ffs(static_cast<int>(mask_)) - 1);
  }
  /// A bit is 1 for each lane with a true `predicate`.
  __device__ unsigned ballot(bool predicate) const { return __ballot_sync(mask_, predicate); }
  __device__ bool any(bool predicate) const { return ballot(predicate) != 0; }
  /// How many lanes, from rank 0 up to the first false one, have a true `predicate`.
  __device__ unsigned prefix(bool predicate) const {
    const unsigned missing = mask_ & ~ballot(predicate);
    return missing == 0 ? count()
                        : static_cast<unsigned>(__popc(mask_ & ((missing & (0u - missing)) - 1)));
  }
  /// Each lane then sees what the others have written.
  __device__ void sync() const { __syncwarp(mask_); }

 private:
  __device__ static unsigned before() { return (1u << threadIdx.x % kWarp) - 1; }

  unsigned mask_;
};

/// A prefix sum over the threads of a block, as one thread sees it.
struct BlockSum {
  unsigned before;  // sum over threads of lower index
  unsigned total;
};

/// All threads of the block call it together. They must synchronize (__syncthreads) before they
/// call it again.
__device__ inline BlockSum block_sum(unsigned value) {
  __shared__ unsigned warps[1024 / kWarp];
  const unsigned warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const unsigned threads = blockDim.x - warp * kWarp;  // in this warp and later ones
  const unsigned mask = threads < kWarp ? (1u << threads) - 1 : 0xffffffff;
  unsigned sum = value;  // over this lane and earlier ones
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned other = __shfl_up_sync(mask, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (lane == kWarp - 1 || threadIdx.x == blockDim.x - 1) warps[warp] = sum;
  __syncthreads();
  BlockSum result{sum - value, 0};
  for (unsigned other = 0; other * kWarp < blockDim.x; ++other) {
    if (other == warp) result.before += result.total;
    result.total += warps[other];
  }
  return result;
}

}  // namespace raddle::worklist::detail
