// Which of its ready warps a scheduler issues from.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.h"
#include "machine/scheduler/config.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

class WarpScheduler {
 public:
  /// `index`: it owns the warps whose slot modulo the number of schedulers is `index`.
  WarpScheduler(const SchedulerConfig& config, unsigned index);

  WarpMask owned() const { return owned_; }

  /// A warp of `ready`, a non-empty subset of owned(). `away`: warps which wait for memory or at a
  /// barrier (they leave the active group of the two-level policy).
  unsigned pick(WarpMask ready, WarpMask away, const WarpAges& ages) {
    switch (policy_) {
      case Policy::greedy_then_oldest:
        return greedy_then_oldest(ready, ages);
      case Policy::loose_round_robin:
        return next_after_last(ready);
      case Policy::two_level:
        break;
    }
    return two_level(ready, away);
  }
  /// Tells that the picked warp has issued.
  void issued(unsigned warp) { last_ = warp; }

 private:
  enum class Policy : std::uint8_t { greedy_then_oldest, loose_round_robin, two_level };

  unsigned greedy_then_oldest(WarpMask ready, const WarpAges& ages) const {
    if (ready & warp_bit(last_)) return last_;
    unsigned oldest = static_cast<unsigned>(std::countr_zero(ready));
    for (WarpMask rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (ages[warp] < ages[oldest]) oldest = warp;
    }
    return oldest;
  }
  unsigned next_after_last(WarpMask ready) const {
    const WarpMask later = ready & ~(warp_bit(last_) | (warp_bit(last_) - 1));
    return static_cast<unsigned>(std::countr_zero(later != 0 ? later : ready));
  }
  unsigned two_level(WarpMask ready, WarpMask away);

  Policy policy_;
  WarpMask owned_ = 0;
  unsigned last_ = 0;
  unsigned group_size_;
  WarpMask group_ = 0;  // the active group
};

}  // namespace raddle::machine
