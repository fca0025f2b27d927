// Finds out whether warps wait for ever. A warp that repeats itself, and changes nothing that
// others see, continues to do so until another warp changes what it reads. Suppose that all warps
// that have not ended repeat themselves, or wait for lanes or warps that do, and that nothing has
// changed since the first repetition was seen. Then nothing will ever change. This is a proof,
// independent of how long the program has waited.
//
// A warp repeats itself when, after two backward jumps of the same lanes to the same place, it is
// in the same state: registers, local memory, and the positions of all lanes. Reading a clock
// counts as a change, and memory that the host may write counts as unknown. Therefore a loop that
// waits for time to pass, or for the host, is never taken for one that waits for ever.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/watch.h"
#include "machine/warp/lane_control.h"

namespace raddle::machine {

class Warp;

/// A watch of the warps that one thread runs at a time: those of a multiprocessor.
class SpinWatch : public isa::Watch {
 public:
  void begin() {
    changed = of_host = of_managed = false;
    warps_.clear();
  }
  /// The lanes of a path have jumped backwards.
  void turned_back(const Warp& warp, std::uint32_t pc, LaneMask lanes);
  /// The lanes of this warp that were seen to repeat themselves.
  LaneMask repeating(const Warp& warp) const;

 private:
  /// The state at a visit. Each state is kept for twice as many visits as the one before (R. P.
  /// Brent, BIT 20, 1980).
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
