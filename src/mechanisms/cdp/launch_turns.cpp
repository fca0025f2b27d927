#include "mechanisms/cdp/launch_turns.h"

#include <bit>

namespace raddle::mechanisms::cdp {
namespace {

/// Instructions that other warps execute before a held warp continues. The limit is needed because
/// the other warps may wait for the held warp.
constexpr Cycle kLongestHeld = 1 << 20;

}  // namespace

void LaunchTurns::launched(isa::WarpContext& warp) {
  if (environment_.time.timed() || environment_.config.virtual_pool) return;
  std::uint32_t& known = launching_.of(*warp.block);
  if ((known >> warp.warp_in_block & 1u) == 0) ++launching_warps_;
  known |= 1u << warp.warp_in_block;
  warp.waits_until = kNever;
  if (limit_.outstanding() + kWarpSize * launching_warps_ <= limit_.most()) {
    yielding_.push_back(&warp);
    return;
  }
  if (held_.empty()) held_until_ = environment_.path.now() + kLongestHeld;
  held_.push_back(&warp);
}

void LaunchTurns::block_ended(const isa::BlockContext& block) {
  launching_warps_ -= static_cast<unsigned>(std::popcount(launching_.take(block).value_or(0)));
}

void LaunchTurns::cycle() {
  let_go(yielding_);
  if (held_until_ <= environment_.path.now()) let_go(held_);
}

bool LaunchTurns::let_go(std::vector<isa::WarpContext*>& warps) {
  const bool any = !warps.empty();
  if (&warps == &held_) held_until_ = kNever;
  for (isa::WarpContext* warp : std::exchange(warps, {})) {
    warp->waits_until = environment_.path.now() + 1;
    environment_.path.wake_warp(*warp);
  }
  return any;
}

}  // namespace raddle::mechanisms::cdp
