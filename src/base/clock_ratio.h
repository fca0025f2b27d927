// Two clocks that run side by side, in exact integers.
#pragma once

#include <numeric>

#include "base/types.h"

namespace raddle {

/// A clock of `ticks` MHz beside the SM clock of `cycles` MHz, both with an edge at time 0. Tick k
/// belongs to the SM cycle in which it falls.
class ClockRatio {
 public:
  ClockRatio(std::uint64_t ticks, std::uint64_t cycles)
      : ticks_(ticks / std::gcd(ticks, cycles)), cycles_(cycles / std::gcd(ticks, cycles)) {}

  /// The first tick that does not come before the start of SM cycle `cycle`; those of the cycle
  /// end before first_tick(cycle + 1).
  Cycle first_tick(Cycle cycle) const {
    return same() ? cycle : (cycle * ticks_ + cycles_ - 1) / cycles_;
  }
  /// The SM cycle to which a tick belongs.
  Cycle cycle_of(Cycle tick) const { return same() ? tick : tick * cycles_ / ticks_; }

 private:
  bool same() const { return ticks_ == cycles_; }  // the usual case, without a division

  std::uint64_t ticks_, cycles_;
};

}  // namespace raddle
