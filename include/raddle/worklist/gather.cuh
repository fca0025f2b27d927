// The targets of a loop's pushes: the worklist itself, or a buffer of the thread that combines many
// pushes into few atomic operations.
#pragma once

#include "lanes.cuh"
#include "types.h"

namespace raddle::worklist::detail {

/// Each push goes to the worklist.
template <class List>
class Direct {
 public:
  __device__ explicit Direct(const List& list) : list_(list) {}
  __device__ void push(std::uint32_t id) { list_.push(id); }
  __device__ void flush() {}

 private:
  const List& list_;
};

/// Collects up to `Size` pushes of a thread, in registers. Selecting among all of them costs less
/// than local memory, which does not fit in a small L1 cache.
template <class List, unsigned Size>
class Chunk {
 public:
  __device__ explicit Chunk(const List& list) : list_(list) {}
  __device__ void push(std::uint32_t id) {
    if (count_ == Size) flush();
#pragma unroll
    for (unsigned i = 0; i < Size; ++i) ids_[i] = i == count_ ? id : ids_[i];
    ++count_;
  }
  /// Work chunking: one atomic operation for all collected pushes.
  __device__ void flush() {
    if (count_ == 0) return;
    auto room = list_.reserve(count_);
    put_all(room);
  }
  /// Atomic-reduced updates: one atomic operation for all threads of the block. They call it
  /// together.
  __device__ void flush_block() {
    auto room = list_.reserve_block(count_);
    put_all(room);
  }

 private:
  template <class Room>
  __device__ void put_all(Room& room) {
#pragma unroll
    for (unsigned i = 0; i < Size; ++i) {
      if (i < count_) room.put(ids_[i]);
    }
    count_ = 0;
  }

  const List& list_;
  unsigned count_ = 0;
  std::uint32_t ids_[Size] = {};
};

}  // namespace raddle::worklist::detail
