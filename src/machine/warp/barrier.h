// The 16 barriers of a thread block (PTX ISA 9.7.13.1, 9.7.13.2).
//
// Warps arrive by themselves, in Warp::step(). Whoever steps warps asks take_released() after each
// step: those warps had returned Step::Then::barrier and may go on.
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

  /// Empties all barriers for a new block of `threads` threads. `whole_warps`: a warp comes to a
  /// barrier with all its lanes when one of them comes (before Volta).
  void start(std::uint32_t threads, bool whole_warps);
  /// Every warp of the block makes itself known when it starts.
  void join(Warp& warp, std::uint32_t warp_in_block);

  struct Arrival {
    std::uint8_t barrier = 0;
    bool waits = true;          // not bar.arrive
    std::uint32_t threads = 0;  // expected; 0 = all of the block
    LaneMask lanes = 0;         // that arrive
    LaneMask true_lanes = 0;    // of a reduction: whose predicate is true
  };
  /// Lanes of a warp arrive. True when that completes the barrier: the lanes go on at once, and so
  /// do all others that waited.
  bool arrive(std::uint32_t warp_in_block, const Arrival& arrival);
  /// Lanes have ended: barriers that wait for all threads may be complete now.
  void lanes_ended(std::uint32_t warp_in_block);

  /// Bit w: warp w of the block had been waiting as a whole and can be stepped again.
  std::uint32_t take_released() { return std::exchange(released_, 0); }

  /// Of the barrier completed last: threads that came with a true predicate, and threads in all.
  std::uint32_t true_threads() const { return true_threads_; }
  std::uint32_t arrived_threads() const { return arrived_threads_; }

  /// What hardware keeps of them, in bytes, which has to be saved when the block leaves: which are in
  /// use, and of each of these how many threads are expected, came, and came with a true predicate.
  /// (Which warps wait, their lane control knows.)
  std::uint64_t state_bytes() const {
    return sizeof used_ +
           static_cast<std::uint64_t>(std::popcount(used_)) * 3 * sizeof(std::uint16_t);
  }

  /// Threads that have arrived and are expected, for reports.
  std::uint32_t arrived(unsigned barrier) const;
  std::uint32_t expected(unsigned barrier) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // 0: all threads of the block
    std::uint32_t true_threads = 0, arrived_threads = 0;
    std::uint32_t warps = 0;                       // with lanes here
    std::array<std::uint32_t, kMaxWarps> count{};  // threads that arrived, a warp
    std::array<LaneMask, kMaxWarps> lanes{};       // of those who arrived or wait
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
