// Software, single-buffered: a ring in global memory. All threads pull from it and push to it. No
// thread waits for another thread, because that might be in its own warp: a pull that finds nothing
// returns kWait.
//
// A position counts the work ids pushed before it. Its slot holds a work id and, in the upper half,
// the lap round the ring in which it was published. Pulling threads first read published slots at
// the head and then claim them by moving the head. So a slot behind the head has been read and can
// be used again.
#pragma once

#include "lanes.cuh"
#include "types.h"

namespace raddle::worklist::detail {

using Position = unsigned long long;
inline constexpr Position kLost = ~Position{0};

struct RingState {
  struct alignas(16) Front {
    Position head;  // of the first work id that no thread has pulled
    Position end;   // the head when all work is done; kLost when work was lost
  };
  alignas(128) Front front;
  alignas(128) Position tail;  // after the last work id
  alignas(128) Position completed;
  alignas(128) Position needed;  // capacity that pushes would have needed; 0: there was room
};

struct Ring {
  RingState* state;
  Position* slots;  // initially 0
  std::uint32_t capacity_bits;

  __host__ __device__ std::uint32_t capacity() const { return 1u << capacity_bits; }
  __device__ Position& slot(Position at) const { return slots[at & (capacity() - 1)]; }
  __device__ bool published(Position slot, Position at) const { return slot >> 32 == lap(at); }
  __device__ std::uint32_t lap(Position at) const {
    return static_cast<std::uint32_t>(at >> capacity_bits) + 1;
  }

  /// Places for pushes. Only the first `count` of them are free.
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
    const Position used = first - fresh(state->front.head);  // the head never exceeds `first`
    if (used + count > capacity()) {
      atomicMax(&state->needed, used + count);
      atomicMax(&state->front.end, kLost);
    }
    const Position left = used < capacity() ? capacity() - used : 0;
    return {first, count < left ? count : static_cast<std::uint32_t>(left)};
  }
  /// The thread that pulls the work id sees all earlier writes of the calling thread.
  __device__ void put(const Room& room, std::uint32_t index, std::uint32_t id) const {
    if (index >= room.count) return;
    const Position at = room.first + index;
    __threadfence();
    *static_cast<volatile Position*>(&slot(at)) = Position{lap(at)} << 32 | id;
  }
  __device__ std::uint32_t size() const {
    const Position head = fresh(state->front.head);
    return static_cast<std::uint32_t>(fresh(state->tail) - head);
  }
  /// Reads both words at once.
  __device__ RingState::Front front() const {
    RingState::Front now;
    asm volatile("ld.volatile.v2.u64 {%0, %1}, [%2];"
                 : "=l"(now.head), "=l"(now.end)
                 : "l"(&state->front)
                 : "memory");
    return now;
  }
  /// A thread that has completed a work id calls it. Returns true, and ends the work, when the ring
  /// is empty and no thread holds a work id: then no thread can push any more. The thread that
  /// completes the last work id detects this, because it reads `completed` before the tail.
  __device__ bool ends() const {
    const Position completed = fresh(state->completed);
    __threadfence();
    if (completed != fresh(state->tail)) return false;
    atomicMax(&state->front.end, completed);
    return true;
  }

  class Worker {
   public:
    __device__ explicit Worker(const Ring& ring) : ring_(ring) {}
    __device__ ~Worker() {
      const Lanes lanes;
      if (complete(lanes) && lanes.leads()) ring_.ends();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Also completes the work id that this thread pulled before.
    __device__ std::uint32_t pull() {
      const Lanes lanes;
      const bool completed = complete(lanes);
      std::uint32_t id = claim(lanes);
      if (!lanes.any(id != kWait)) id = wait(lanes, completed);
      lanes.sync();  // all lanes continue from here together
      return hidden(id);
    }

   private:
    /// Completes the work ids that these lanes hold. Returns whether there were any.
    __device__ bool complete(const Lanes& lanes) {
      const unsigned held = static_cast<unsigned>(__popc(lanes.ballot(holds_)));
      if (held == 0) return false;
      __threadfence();  // their pushes are counted first
      lanes.sync();
      if (lanes.leads()) atomicAdd(&ring_.state->completed, Position{held});
      holds_ = false;
      return true;
    }
    /// Gives a work id to as many of these lanes as possible, and kWait to the others; or kDone to
    /// all.
    __device__ std::uint32_t claim(const Lanes& lanes) {
      RingState::Front front{};
      if (lanes.leads()) front = ring_.front();
      const int done = front.end == front.head || front.end == kLost;
      Position head = lanes.broadcast(front.head);
      if (lanes.any(nap_ > kShortest)) {  // only the leader looks while there is probably nothing
        const bool nothing = lanes.leads() && !ring_.published(fresh(ring_.slot(head)), head);
        if (lanes.any(nothing)) return lanes.broadcast(done) != 0 ? kDone : kWait;
      }
      constexpr int kAttempts = 3;  // repeats when other warps have moved the head
#pragma unroll 1
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const Position at = head + lanes.rank();
        const Position found = fresh(ring_.slot(at));
        const unsigned count = lanes.prefix(ring_.published(found, at));
        if (count == 0) return attempt == 0 && lanes.broadcast(done) != 0 ? kDone : kWait;
        Position now = 0;
        if (lanes.leads()) now = atomicCAS(&ring_.state->front.head, head, head + count);
        now = lanes.broadcast(now);
        if (now == head) {
          __threadfence();
          nap_ = kShortest;
          holds_ = lanes.rank() < count;
          return holds_ ? static_cast<std::uint32_t>(found) : kWait;
        }
        head = now;
      }
      return kWait;
    }
    /// Called when none of these lanes got a work id. Pauses, since thousands of others may be
    /// looking, too.
    __device__ std::uint32_t wait(const Lanes& lanes, bool completed) {
      int done = 0;
      if (completed && lanes.leads()) done = ring_.ends();
      if (lanes.broadcast(done) != 0) return kDone;
#if __CUDA_ARCH__ >= 700
      __nanosleep(nap_);
#endif
      const unsigned warps = gridDim.x * (blockDim.x / kWarp);
      if (nap_ < kNapPerWarp * warps) nap_ *= 2;
      return kWait;
    }

    // Nanoseconds. All waiting warps together look about once in kNapPerWarp, however many they
    // are.
    static constexpr unsigned kShortest = 64, kNapPerWarp = 4;

    const Ring& ring_;
    bool holds_ = false;
    unsigned nap_ = kShortest;
  };
};

}  // namespace raddle::worklist::detail
