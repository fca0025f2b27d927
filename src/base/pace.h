// A rate that need not be a whole number: 0.84 blocks a cycle.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/types.h"

namespace raddle {

/// Says in which cycles an event may happen that occurs at most `per_cycle` times a cycle. The rest
/// of a cycle counts for the next event; idle cycles save nothing. Time is kept in integers, so
/// that runs are the same everywhere.
class Pace {
 public:
  explicit Pace(double per_cycle)
      : step_(std::max<Cycle>(1, std::llround(static_cast<double>(kTicks) / per_cycle))) {}

  bool due(Cycle now) const { return next_ < (now + 1) * kTicks; }
  /// The event happens in cycle `now`, in which it was due.
  void happens(Cycle now) { next_ = std::max(next_, now * kTicks) + step_; }
  /// The first cycle in which it is due.
  Cycle ready_at() const { return next_ / kTicks; }

 private:
  static constexpr Cycle kTicks = 1 << 16;  // of a cycle
  Cycle step_;
  Cycle next_ = 0;  // in ticks
};

}  // namespace raddle
