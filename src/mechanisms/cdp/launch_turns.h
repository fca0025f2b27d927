// Who launches next on the functional machine, which has no time in which what was launched could
// end before the next call.
#pragma once

#include <vector>

#include "mechanisms/cdp/environment.h"
#include "mechanisms/cdp/launch_limit.h"
#include "mechanisms/cdp/per_block.h"

namespace raddle::mechanisms::cdp {

/// A warp that has launched lets the others make their calls before its next one; and where there is
/// no room for one more launch by each thread, it goes on when all else has come as far as it can.
/// With timing, and with a virtual pool, nobody waits.
class LaunchTurns {
 public:
  LaunchTurns(const Environment& environment, const LaunchLimit& limit)
      : environment_(environment), limit_(limit) {}

  /// At the end of a warp's call that launches.
  void launched(isa::WarpContext& warp);
  void block_ended(const isa::BlockContext& block);

  /// Nothing else can run any more: whether a warp that was held back now can.
  bool stalled() { return let_go(held_); }
  Cycle wake() const { return yielding_.empty() ? held_until_ : 0; }
  void cycle();

 private:
  /// The warps go on; whether there are any.
  bool let_go(std::vector<isa::WarpContext*>& warps);

  const Environment& environment_;
  const LaunchLimit& limit_;
  PerBlock<std::uint32_t> launching_;        // warps of running blocks that launch: a bit for each
  std::uint64_t launching_warps_ = 0;        // so many
  std::vector<isa::WarpContext*> yielding_;  // they wait for cycle(),
  std::vector<isa::WarpContext*> held_;      // or for stalled(),
  Cycle held_until_ = kNever;                // no longer than that
};

}  // namespace raddle::mechanisms::cdp
