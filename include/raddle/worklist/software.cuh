// The software worklist as kernels see it: a store (arrays.cuh, ring.cuh) with the ways to push.
#pragma once

#include "arrays.cuh"
#include "loops.cuh"
#include "ring.cuh"

namespace raddle::worklist::detail {

/// Reserved places for work ids. The caller should put a work id into each. Unused places become
/// holes, which loops skip.
template <class Store>
class Places {
 public:
  __device__ Places(const Store& store, typename Store::Room room, unsigned first, unsigned count)
      : store_(store), room_(room), next_(first), end_(first + count) {}
  __device__ ~Places() {
    while (next_ != end_) put(kWait);
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  __device__ void put(std::uint32_t id) { store_.put(room_, next_++, id); }

 private:
  const Store& store_;
  typename Store::Room room_;
  unsigned next_, end_;
};

template <class Store, bool Dealt, Push How, unsigned ChunkSize>
class SoftwareDevice : public Loops<SoftwareDevice<Store, Dealt, How, ChunkSize>> {
 public:
  static constexpr Push kPush = How;
  static constexpr bool kDealt = Dealt;  // each thread's work is known before it begins
  static constexpr bool kGathers = How == Push::chunk || How == Push::block;
  using Out =
      std::conditional_t<kGathers, Chunk<SoftwareDevice, ChunkSize>, Direct<SoftwareDevice>>;
  using Worker = typename Store::Worker;

  explicit SoftwareDevice(const Store& store) : store_(store) {}

  /// The object with which the calling thread pulls; a thread has one at a time. pull() returns a
  /// work id, kWait or kDone. A thread must not spin on kWait, since other lanes of its warp may
  /// have work; see for_each().
  __device__ Worker worker() const { return Worker(store_); }

  /// The thread that pulls the work id sees all earlier writes of the calling thread.
  __device__ void push(std::uint32_t id) const {
    if constexpr (How == Push::thread) {
      store_.put(store_.claim(1), 0, id);
    } else {
      const Lanes lanes;
      typename Store::Room room{};
      if (lanes.leads()) room = store_.claim(lanes.count());
      store_.put(room.from(lanes), lanes.rank(), id);
    }
  }
  /// Work chunking: reserves `count` places by one atomic operation. Call put(id) for all of them.
  __device__ Places<Store> reserve(unsigned count) const {
    return Places<Store>(store_, store_.claim(count), 0, count);
  }
  /// Atomic-reduced updates: one atomic operation for all threads of the block. They call it
  /// together, each with a `count` of its own.
  __device__ Places<Store> reserve_block(unsigned count) const {
    __shared__ typename Store::Room room;
    const BlockSum sum = block_sum(count);
    if (threadIdx.x == 0 && sum.total != 0) room = store_.claim(sum.total);
    __syncthreads();
    return Places<Store>(store_, room, sum.before, count);
  }
  /// As reserve_block, for one work id; kWait or kDone push nothing.
  __device__ void push_block(std::uint32_t id) const {
    auto place = reserve_block(id < kWait);
    if (id < kWait) place.put(id);
  }
  /// How many work ids can be pulled, roughly while others push and pull.
  __device__ std::uint32_t size() const { return store_.size(); }

 private:
  Store store_;
};

}  // namespace raddle::worklist::detail
