// Warps that others keep from issuing, for ever if these spin for what the former have to do: a greedy
// policy leaves a ready warp behind as long as others are ready.
#pragma once

#include "base/types.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// Of one scheduler. Time goes in turns of so many cycles: a warp that was ready in all of one, and
/// did not issue, goes before others in the next.
class Patience {
 public:
  /// `turn`: cycles; 0: no warp ever goes before others.
  explicit Patience(Cycle turn) : turn_(turn), ends_(turn != 0 ? turn : kNever) {}

  /// Whether a turn has ended since the last one began.
  bool over(Cycle now) const { return now >= ends_; }
  /// A turn begins; `ready` are all the scheduler's warps that are. Where turns have passed meanwhile,
  /// the scheduler had nothing to choose from in them.
  void begin_turn(WarpMask ready, Cycle now) {
    first_ = now - ends_ < turn_ ? waiting_ & ready : 0;
    waiting_ = ready;
    ends_ = now - now % turn_ + turn_;
  }
  /// Those that go before others in this turn.
  WarpMask first() const { return first_; }
  void issued(unsigned warp) { waiting_ &= ~warp_bit(warp); }

 private:
  Cycle turn_, ends_;
  WarpMask waiting_ = 0;  // were ready when this turn began, and have not issued in it
  WarpMask first_ = 0;
};

}  // namespace raddle::machine
