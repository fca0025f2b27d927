// Invariants of an SM. Those between kernels are checked in builds with RADDLE_CHECK_INVARIANTS.
// Those about its sleep are checked in runs that skip no idle cycle (gpu.skip_idle = false).
//
// An SM that sleeps has told the machine when it next has work. In a run that skips no cycle its
// cycle() is called nevertheless, and must have no effect before then. A violation is an internal
// error that names the unit. The most common cause is a mechanism that changes a unit from outside
// the unit's own functions without SmPort::rouse().
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "machine/mechanism.h"
#include "machine/sm/sm.h"

namespace raddle::machine {
namespace {

void require(bool holds, unsigned sm, const char* what) {
  if (!holds) fail("internal error: SM {}: {}", sm, what);
}

std::string until(Cycle told) {
  return told == kNever ? "until something wakes it" : fmt::format("until cycle {}", told);
}

}  // namespace

void Sm::check_told(Cycle now) {
  told_ = wake();
  told_issued_ = stats_.warp_instructions;
  if (told_ <= now) return;
  const auto unit = attached_.due_before(told_);
  if (!unit) return;
  fail(
      "internal error: in cycle {}, SM {} was to sleep {}, but its unit of {} is to run in cycle "
      "{}: "
      "what changes the wake() of a unit from outside its own functions has to call "
      "SmPort::rouse()",
      now, index_, until(told_), mechanism_kinds()[unit->number].name, std::max(unit->wake, now));
}

void Sm::check_slept(Cycle now) const {
  if (told_ <= now) return;
  const auto complain = [&](const std::string& what) {
    fail("internal error: in cycle {}, in which SM {} was to sleep {}, it has {}", now, index_,
         until(told_), what);
  };
  if (stats_.warp_instructions != told_issued_) complain("issued an instruction");
  if (concerned()) complain("left work for after the cycle");
  if (wake() < told_) complain(fmt::format("found something to do in cycle {}", wake()));
}

void Sm::check_drained() const {
  require(residency_.empty(), index_, "a block was not retired");
  require(events_.empty(), index_, "an event of a warp that has ended is left");
  require(preemption_.restoring() == 0, index_, "a block was not restored");
  // Accesses that a unit makes by itself may outlast the kernel.
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
