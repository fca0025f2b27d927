// The order of launches on the functional machine. That machine has no time, so without turns no
// child grid would end before the next launch.
#pragma once

#include <vector>

#include "mechanisms/cdp/environment.h"
#include "mechanisms/cdp/launch_limit.h"
#include "mechanisms/cdp/per_block.h"

namespace raddle::mechanisms::cdp {

/// A warp that has launched yields: the other warps make their calls before its next one. If there
/// is not enough room for one more launch by each thread, the warp is held until all other work can
/// advance no further. No warp waits with timing or with a virtual pool.
class LaunchTurns {
 public:
  LaunchTurns(const Environment& environment, const LaunchLimit& limit)
      : environment_(environment), limit_(limit) {}

  /// Call it at the end of a warp's call that launches.
  void launched(isa::WarpContext& warp);
  void block_ended(const isa::BlockContext& block);

  /// No other work can run. Returns whether this released a held warp.
  bool stalled() { return let_go(held_); }
  Cycle wake() const { return yielding_.empty() ? held_until_ : 0; }
  void cycle();

 private:
  /// Releases the warps. Returns whether there were any.
  bool let_go(std::vector<isa::WarpContext*>& warps);

  const Environment& environment_;
  const LaunchLimit& limit_;
  PerBlock<std::uint32_t> launching_;  // warps of running blocks that launch: one bit for each warp
  std::uint64_t launching_warps_ = 0;  // the number of these warps
  std::vector<isa::WarpContext*> yielding_;  // warps that wait for cycle()
  std::vector<isa::WarpContext*> held_;      // warps that wait for stalled(),
  Cycle held_until_ = kNever;                // at most until this cycle
};

}  // namespace raddle::mechanisms::cdp
