#include "machine/scheduler/warp_scheduler.h"

namespace raddle::machine {

WarpScheduler::WarpScheduler(const SchedulerConfig& config, unsigned index)
    : policy_(config.policy == "gto"   ? Policy::greedy_then_oldest
              : config.policy == "lrr" ? Policy::loose_round_robin
                                       : Policy::two_level),
      group_size_(config.active_warps) {
  for (unsigned warp = index; warp < kMaxWarps; warp += config.count) owned_ |= warp_bit(warp);
}

/// Narasiman et al., MICRO 2011: round robin inside a small group; a warp that starts a long wait
/// leaves the group, and the next ready one outside takes its place.
unsigned WarpScheduler::two_level(WarpMask ready, WarpMask away) {
  group_ &= ~away;
  WarpMask outside = ready & ~group_;
  while (outside != 0 && static_cast<unsigned>(std::popcount(group_)) < group_size_) {
    const unsigned warp = next_after_last(outside);
    group_ |= warp_bit(warp);
    outside &= ~warp_bit(warp);
  }
  // A group of warps that are all in short waits gives way rather than leave the slot empty.
  const WarpMask inside = ready & group_;
  return next_after_last(inside != 0 ? inside : ready);
}

}  // namespace raddle::machine
