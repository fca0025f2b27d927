// Do warps wait for ever? A warp that repeats itself, and changes nothing that others see, goes on doing
// so until another changes what it reads. When all warps that have not ended repeat themselves, or wait
// for lanes or warps that do, and nothing has changed since the first of them was seen to, nothing ever
// will: that is proved, however long a program was meant to wait.
//
// A warp repeats itself when, after two jumps backwards of the same lanes to the same place, it is in
// the same state: registers, local memory, and where all of its lanes are. Looks at clocks count as
// changes, and memory that the host may write as unknown, so that a loop which waits for time to pass or
// for the host is never taken for one that waits for ever.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/watch.h"
#include "machine/warp/lane_control.h"

namespace raddle::machine {

class Warp;

/// Of the warps that one thread runs at a time: those of a multiprocessor.
class SpinWatch : public isa::Watch {
 public:
  void begin() {
    changed = of_host = of_managed = false;
    warps_.clear();
  }
  /// The lanes of a path have jumped backwards.
  void turned_back(const Warp& warp, std::uint32_t pc, LaneMask lanes);
  /// Lanes of this warp that were seen to repeat what they do.
  LaneMask repeating(const Warp& warp) const;

 private:
  /// The state at a visit, kept for twice as many visits each time (R. P. Brent, BIT 20, 1980).
  struct Place {
    std::uint32_t pc = 0;
    LaneMask lanes = 0;
    std::uint64_t state = 0;
    std::uint64_t visits = 0, kept_at = 1;
    bool repeats = false;
  };
  std::unordered_map<const Warp*, std::vector<Place>> warps_;
};

}  // namespace raddle::machine
