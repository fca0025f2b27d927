// What must hold on an SM between kernels; checked in builds with RADDLE_CHECK_INVARIANTS.
#include <fmt/format.h>

#include "machine/sm/sm.h"

namespace raddle::machine {
namespace {

void require(bool holds, unsigned sm, const char* what) {
  if (!holds) fail("internal error: SM {}: {}", sm, what);
}

}  // namespace

void Sm::check_drained() const {
  require(residency_.empty(), index_, "a block was not retired");
  require(events_.empty(), index_, "an event of a warp that has ended is left");
  require(preemption_.restoring() == 0, index_, "a block was not restored");
  // Accesses of a unit's own may outlast the kernel.
  require(memory_.drained() || !attached_.idle(), index_,
          "a memory instruction was never answered");
  require(!global_.pending(), index_, "a write to global memory was not carried out");
  require(stats_.warp_instructions == residency_.retired_instructions(), index_,
          "instructions that were issued have not retired with their block");
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    require(scoreboard_.empty(warp), index_, "a result never came");
  }
  std::uint64_t slots = 0;
  for (const Counter* counter : stats_.slots.counters()) slots += *counter;
  require(slots == stats_.cycles * schedulers_.size(), index_,
          "issue slots do not add up to cycles times schedulers");
}

}  // namespace raddle::machine
