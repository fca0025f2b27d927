// Accounts of the schedulers' cycles.
#pragma once

#include <array>
#include <bit>
#include <utility>

#include "machine/scheduler/warp_scheduler.h"
#include "machine/sm/charges.h"
#include "machine/sm/stats.h"

namespace raddle::machine {

/// Each scheduler's cycle counts once: as issued, or for the reason that kept the scheduler from
/// issuing. Cycles during which the SM sleeps are counted when the counts are read, or before the
/// state changes.
class IssueAccounts {
 public:
  IssueAccounts(WarpTable& warps, const WarpSchedulers& schedulers, Charges& charges,
                SmStats& stats);

  /// The counts include all cycles before this one.
  const Cycle& accounted() const { return accounted_; }
  /// Brings them up to the end of the cycle before `end`. Nothing has changed since accounted(), so
  /// every scheduler continues to stall.
  void account_until(Cycle end) {
    if (end > accounted_) account_stalls(end);
  }
  /// The schedulers have had their turns in cycle `now`.
  void cycle_over(Cycle now) { accounted_ = now + 1; }
  void count_cycle() {
    ++stats_.cycles;
    stats_.resident_warp_cycles += warps_.resident;
  }

  void issued() { ++stats_.slots[Slot::issued]; }
  void dual_issued() { ++stats_.dual_issued; }
  void formed_issue() { ++stats_.formed_issues; }
  /// A scheduler issued nothing for `cycles` cycles, because its warps waited.
  void stalled(unsigned scheduler, Cycle cycles) {
    Stall& stall = stalls_[scheduler];
    if ((warps_.moved & stall.owned) != 0) find_reason(stall);
    count(*stall.counter, stall.reason, stall.state, stall.owned, cycles);
  }
  void all_stalled(Cycle cycles) {
    for (unsigned s = 0; s < schedulers_.size(); ++s) stalled(s, cycles);
  }
  /// No operand collector was free.
  void operands_busy(WarpMask owned) {
    count(stats_.slots.operands, Slot::operands, PathState::ready, owned, 1);
  }

  /// A warp instruction for `lanes` of `block`.
  void executed(ResidentBlock& block, unsigned lanes) {
    ++stats_.warp_instructions;
    stats_.thread_instructions += lanes;
    stats_.active_lanes.add(lanes);
    ++block.warp_instructions;
    block.thread_instructions += lanes;
  }

 private:
  /// The reason why a scheduler stalls, until one of its warps enters another state.
  struct Stall {
    WarpMask owned = 0;
    Counter* counter = nullptr;
    Slot reason = Slot::no_warp;
    PathState state = PathState::vacant;
  };
  void find_reason(Stall& stall);
  void account_stalls(Cycle end);
  void count(Counter& counter, Slot reason, PathState state, WarpMask owned, Cycle cycles) {
    counter += cycles;
    if (charges_.active() && reason != Slot::no_warp) [[unlikely]]
      charges_.stall(reason, state, owned, cycles);
  }

  WarpTable& warps_;
  const WarpSchedulers& schedulers_;
  Charges& charges_;
  SmStats& stats_;
  Cycle accounted_ = 0;
  std::array<Stall, 8> stalls_;  // [scheduler]
};

}  // namespace raddle::machine
