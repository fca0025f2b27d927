// Software, single-buffered: a ring in global memory from which all threads pull and to which all
// push. No thread ever waits for another, which might be in its own warp: a pull that finds nothing
// returns kWait.
//
// A position counts the work ids pushed before it. Its slot holds a work id and, in the upper half,
// on which lap round the ring it was published. Pulling threads read published slots at the head
// first and claim them afterwards, by moving the head: a slot behind the head has been read, and
// can be used again.
#pragma once

#include "lanes.cuh"
#include "types.h"

namespace raddle::worklist::detail {

using Position = unsigned long long;

struct RingState {
  alignas(128) Position head;  // of the first work id that nobody has pulled
  alignas(128) Position tail;  // behind the last
  alignas(128) Position completed;
  alignas(128) Position needed;  // the capacity that pushes would have needed; 0: there was room
};

struct Ring {
  RingState* state;
  Position* slots;  // all 0 at first
  std::uint32_t capacity_bits;

  __host__ __device__ std::uint32_t capacity() const { return 1u << capacity_bits; }
  __device__ Position& slot(Position at) const { return slots[at & (capacity() - 1)]; }
  __device__ std::uint32_t lap(Position at) const {
    return static_cast<std::uint32_t>(at >> capacity_bits) + 1;
  }

  /// Places for pushes, of which the first `count` are free.
  struct Room {
    Position first;
    std::uint32_t count;

    __device__ Room from(const Lanes& lanes) const {
      return {lanes.broadcast(first), lanes.broadcast(count)};
    }
  };

  __device__ Room claim(std::uint32_t count) const {
    if (count == 0) return {0, 0};
    const Position first = atomicAdd(&state->tail, Position{count});
    __threadfence();
    const Position used = first - fresh(state->head);  // the head is never beyond the first
    if (used + count > capacity()) atomicMax(&state->needed, used + count);
    const Position left = used < capacity() ? capacity() - used : 0;
    return {first, count < left ? count : static_cast<std::uint32_t>(left)};
  }
  /// What the calling thread has written before is seen by who pulls the work id.
  __device__ void put(const Room& room, std::uint32_t index, std::uint32_t id) const {
    if (index >= room.count) return;
    const Position at = room.first + index;
    __threadfence();
    *static_cast<volatile Position*>(&slot(at)) = Position{lap(at)} << 32 | id;
  }
  __device__ std::uint32_t size() const {
    const Position head = fresh(state->head);
    return static_cast<std::uint32_t>(fresh(state->tail) - head);
  }
  /// Nothing is in the ring and no thread has a work id, so that nothing will ever be pushed: what
  /// was pushed when `completed` was read is no less, and what is pushed later no more. Or work was
  /// lost.
  __device__ bool finished() const {
    if (fresh(state->needed) != 0) return true;
    const Position completed = fresh(state->completed);
    __threadfence();
    return completed == fresh(state->tail);
  }

  class Worker {
   public:
    __device__ explicit Worker(const Ring& ring) : ring_(ring) {}
    __device__ ~Worker() { complete(Lanes()); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Completes the work id pulled before.
    __device__ std::uint32_t pull() {
      const Lanes lanes;
      complete(lanes);
      const std::uint32_t id = claim(lanes);
      lanes.sync();  // all go on from here together, whatever they have got
      return hidden(id);
    }

   private:
    __device__ std::uint32_t claim(const Lanes& lanes) {
      constexpr int kAttempts = 4;  // others have moved the head: they have got something
#pragma unroll 1
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const Position head = lanes.broadcast(lanes.leads() ? fresh(ring_.state->head) : 0);
        const Position at = head + lanes.rank();
        const Position found = fresh(ring_.slot(at));
        const unsigned count = lanes.prefix(found >> 32 == ring_.lap(at));
        if (count == 0) break;
        int won = 0;
        if (lanes.leads()) won = atomicCAS(&ring_.state->head, head, head + count) == head;
        if (lanes.broadcast(won) == 0) continue;
        __threadfence();
        holds_ = lanes.rank() < count;
        return holds_ ? static_cast<std::uint32_t>(found) : kWait;
      }
      int finished = 0;
      if (lanes.leads()) finished = ring_.finished();
      if (lanes.broadcast(finished) != 0) return kDone;
#if __CUDA_ARCH__ >= 700
      __nanosleep(100);  // all of these lanes wait
#endif
      return kWait;
    }
    __device__ void complete(const Lanes& lanes) {
      const unsigned held = static_cast<unsigned>(__popc(lanes.ballot(holds_)));
      if (held == 0) return;
      __threadfence();  // their pushes are counted before
      lanes.sync();
      if (lanes.leads()) atomicAdd(&ring_.state->completed, Position{held});
      holds_ = false;
    }

    const Ring& ring_;
    bool holds_ = false;
  };
};

}  // namespace raddle::worklist::detail
