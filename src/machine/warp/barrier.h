// The 16 barriers of a thread block (PTX ISA 9.7.13.1, 9.7.13.2).
//
// Warps arrive by themselves, in Warp::step(). The caller of step() calls take_released() after
// each step. It returns warps that returned Step::Then::barrier before and can now continue.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/types.h"

namespace raddle::machine {

class Warp;

class BlockBarriers {
 public:
  static constexpr unsigned kBarriers = 17;  // 0 to 15, and isa::kClusterBarrier
  static constexpr unsigned kMaxWarps = 32;

  /// Empties all barriers for a new block of `threads` threads. `whole_warps`: all lanes of a warp
  /// come to a barrier when one of them comes (before Volta).
  void start(std::uint32_t threads, bool whole_warps);
  /// Every warp of the block calls this when it starts.
  void join(Warp& warp, std::uint32_t warp_in_block);

  struct Arrival {
    std::uint8_t barrier = 0;
    bool waits = true;          // not bar.arrive
    std::uint32_t threads = 0;  // expected; 0: all threads of the block
    LaneMask lanes = 0;         // the arriving lanes
    LaneMask true_lanes = 0;    // in a reduction: lanes with a true predicate
  };
  /// Lanes of a warp arrive. True when that completes the barrier: these lanes continue at once,
  /// and so do all lanes that waited there.
  bool arrive(std::uint32_t warp_in_block, const Arrival& arrival);
  /// Lanes have ended: a barrier that waits for all threads may become complete.
  void lanes_ended(std::uint32_t warp_in_block);

  /// Bit w: warp w of the block had been waiting as a whole and can be stepped again.
  std::uint32_t take_released() { return std::exchange(released_, 0); }

  /// For the barrier completed last: threads with a true predicate, and all threads that arrived.
  std::uint32_t true_threads() const { return true_threads_; }
  std::uint32_t arrived_threads() const { return arrived_threads_; }

  /// Hardware state of the barriers, in bytes, to be saved when the block leaves: which barriers
  /// are in use, and for each of these the numbers of threads that are expected, have arrived, and
  /// have arrived with a true predicate. (Lane control knows which warps wait.)
  std::uint64_t state_bytes() const {
    return sizeof used_ +
           static_cast<std::uint64_t>(std::popcount(used_)) * 3 * sizeof(std::uint16_t);
  }

  /// Threads that have arrived, and threads that are expected, for reports.
  std::uint32_t arrived(unsigned barrier) const;
  std::uint32_t expected(unsigned barrier) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // 0: all threads of the block
    std::uint32_t true_threads = 0, arrived_threads = 0;
    std::uint32_t warps = 0;                       // warps with lanes at this barrier
    std::array<std::uint32_t, kMaxWarps> count{};  // [warp]: number of threads that arrived
    std::array<LaneMask, kMaxWarps> lanes{};       // [warp]: lanes that arrived or wait
    std::uint32_t waiting = 0;                     // warps with lanes that wait
  };
  bool complete(const Barrier& barrier) const;
  void release(unsigned index);
  std::uint32_t threads_counted(const Barrier& barrier, unsigned warp) const;

  std::array<Barrier, kBarriers> barriers_;
  std::array<Warp*, kMaxWarps> warps_{};
  std::uint32_t threads_ = 0, warp_count_ = 0, released_ = 0;
  std::uint32_t true_threads_ = 0, arrived_threads_ = 0;
  std::uint32_t used_ = 0;  // barriers with arrivals
  bool whole_warps_ = true;
};

}  // namespace raddle::machine
