// The lanes of a warp that are at the same place, and the threads of a block, acting together.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace raddle::worklist::detail {

inline constexpr unsigned kWarp = 32;

/// What other blocks write is read past the L1 cache, which need not see it.
template <class T>
__device__ T fresh(const T& value) {
  return *static_cast<const volatile T*>(&value);
}

/// The value, of which the compiler knows nothing from here on. A loop that may wait tests whether
/// it is to leave first, and then, of a hidden value, whether it has to wait: a compiler that tests
/// both the other way round sends the waiting lanes back to the next pull without the others of
/// their warp, which proceed only when those have left the loop (on GPUs with a stack of
/// reconvergence points).
__device__ inline std::uint32_t hidden(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

/// The lanes of the calling thread's warp that are here now. All of them must make the calls below.
/// Blocks have one dimension.
class Lanes {
 public:
  __device__ Lanes() : mask_(__activemask()) {}

  __device__ unsigned count() const { return static_cast<unsigned>(__popc(mask_)); }
  /// Index of the calling thread among them.
  __device__ unsigned rank() const { return static_cast<unsigned>(__popc(mask_ & before())); }
  __device__ bool leads() const { return (mask_ & before()) == 0; }
  /// The leader's value.
  template <class T>
  __device__ T broadcast(T value) const {
    return __shfl_sync(mask_, value, __ffs(static_cast<int>(mask_)) - 1);
  }
  /// Those for which `predicate` holds, as bits.
  __device__ unsigned ballot(bool predicate) const { return __ballot_sync(mask_, predicate); }
  __device__ bool any(bool predicate) const { return ballot(predicate) != 0; }
  /// How many of the first lanes, in the order of their ranks, have a true `predicate`.
  __device__ unsigned prefix(bool predicate) const {
    const unsigned missing = mask_ & ~ballot(predicate);
    return missing == 0 ? count()
                        : static_cast<unsigned>(__popc(mask_ & ((missing & (0u - missing)) - 1)));
  }
  /// Each sees what the others have written.
  __device__ void sync() const { __syncwarp(mask_); }

 private:
  __device__ static unsigned before() { return (1u << threadIdx.x % kWarp) - 1; }

  unsigned mask_;
};

/// A thread's place when all threads of the block ask for some.
struct BlockSum {
  unsigned before;  // what threads of lower index ask for
  unsigned total;
};

/// All threads of the block call it together, and meet once more (__syncthreads) before they call
/// it again.
__device__ inline BlockSum block_sum(unsigned value) {
  __shared__ unsigned warps[1024 / kWarp];
  const unsigned warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const unsigned threads = blockDim.x - warp * kWarp;  // of this warp and later ones
  const unsigned mask = threads < kWarp ? (1u << threads) - 1 : 0xffffffff;
  unsigned sum = value;  // of this lane and those before it
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
