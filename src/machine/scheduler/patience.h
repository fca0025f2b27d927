// Prevents starvation of ready warps. A greedy policy leaves a ready warp behind as long as others
// are ready, which may be for ever if the others spin until that warp does something.
#pragma once

#include "base/types.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// One scheduler's patience. Time is divided into turns. A warp that was ready during a whole turn,
/// and did not issue in it, goes before others in the next turn.
class Patience {
 public:
  /// `turn`: cycles; 0: no warp ever goes before others.
  explicit Patience(Cycle turn) : turn_(turn), ends_(turn != 0 ? turn : kNever) {}

  /// Whether a turn has ended since the last one began.
  bool over(Cycle now) const { return now >= ends_; }
  /// A turn begins; `ready` are all ready warps of the scheduler. If whole turns have passed
  /// without a call, the scheduler had no ready warp in them.
  void begin_turn(WarpMask ready, Cycle now) {
    first_ = now - ends_ < turn_ ? waiting_ & ready : 0;
    waiting_ = ready;
    ends_ = now - now % turn_ + turn_;
  }
  /// The warps that go before others in this turn.
  WarpMask first() const { return first_; }
  void issued(unsigned warp) { waiting_ &= ~warp_bit(warp); }

 private:
  Cycle turn_, ends_;
  WarpMask waiting_ = 0;  // ready when this turn began, and not issued in it
  WarpMask first_ = 0;
};

}  // namespace raddle::machine
