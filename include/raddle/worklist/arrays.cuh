// Software, double-buffered: two arrays in global memory. The host exchanges them between kernels.
// Threads pull without atomic operations, each from places of its own.
#pragma once

#include "lanes.cuh"
#include "types.h"

namespace raddle::worklist::detail {

struct Arrays {
  const std::uint32_t* pull_ids;
  std::uint32_t pull_size;
  std::uint32_t* push_ids;
  std::uint32_t* push_size;  // may exceed the capacity: tells the host the needed one
  std::uint32_t capacity;

  /// Places for pushes. Only the first `count` of them exist.
  struct Room {
    std::uint32_t first;
    std::uint32_t count;

    __device__ Room from(const Lanes& lanes) const {
      return {lanes.broadcast(first), lanes.broadcast(count)};
    }
  };

  __device__ Room claim(std::uint32_t count) const {
    const std::uint32_t first = atomicAdd(push_size, count);
    const std::uint32_t left = first < capacity ? capacity - first : 0;
    return {first, count < left ? count : left};
  }
  __device__ void put(const Room& room, std::uint32_t index, std::uint32_t id) const {
    if (index < room.count) push_ids[room.first + index] = id;
  }
  __device__ std::uint32_t size() const { return pull_size; }

  /// Threads with neighbouring indices pull work ids at neighbouring addresses.
  class Worker {
   public:
    __device__ explicit Worker(const Arrays& list)
        : ids_(list.pull_ids),
          size_(list.pull_size),
          next_(blockIdx.x * blockDim.x + threadIdx.x) {}

    __device__ std::uint32_t pull() {
      if (next_ >= size_) return kDone;
      const std::uint32_t id = ids_[next_];
      next_ += gridDim.x * blockDim.x;
      return id;
    }

   private:
    const std::uint32_t* ids_;
    std::uint32_t size_, next_;
  };
};

}  // namespace raddle::worklist::detail
