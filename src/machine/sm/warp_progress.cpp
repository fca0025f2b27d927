#include "machine/sm/warp_progress.h"

#include <algorithm>
#include <bit>

#include "machine/sm/attached_units.h"
#include "machine/sm/subdivision.h"

namespace raddle::machine {
namespace {

/// WarpTable::until() of a path that waits for acknowledgements at a fence for its own
/// multiprocessor only; kNever if the fence is for other multiprocessors too.
constexpr Cycle kNarrowFence = kNever - 1;

bool changes_frame(isa::Kind kind) { return kind == isa::Kind::call || kind == isa::Kind::ret; }

}  // namespace

// Called for every instruction, more than once. Therefore each function calls the next as its last
// action, and rare cases have their own functions, so that the common path saves no registers on
// the stack.

void WarpProgress::look_at_next(PathId id, Cycle now) {
  if (p_.warps.paths() > 1) [[unlikely]]
    if (waits_for_call(id, now)) return;
  if (p_.frontend.holds(id, p_.warps.of(id).warp.pc(path_of(id)))) return look_at_operands(id);
  fetch_next(id, now);
}

void WarpProgress::fetch_next(PathId id, Cycle now) {
  const Cycle there = p_.frontend.ready(id, p_.warps.of(id).warp.pc(path_of(id)), now);
  if (there <= now) return look_at_operands(id);
  if (there != kNever) return wait_until(id, PathState::no_instruction, there, now);
  p_.warps.set_until(id, kNever);
  p_.warps.enter(id, PathState::no_instruction);
}

/// The path's next instruction is in its buffer.
void WarpProgress::look_at_operands(PathId id) {
  const WarpSlot& slot = p_.warps.of(id);
  const isa::Instruction& next = *slot.warp.next(path_of(id));
  if (p_.warps.paths() > 1 || changes_frame(next.kind) || !p_.attached.empty()) [[unlikely]]
    return look_closely(id);
  switch (p_.scoreboard.wait_for_own(id, slot.program->hazards[slot.warp.pc(path_of(id))])) {
    case Scoreboard::Wait::execution:
      return p_.warps.enter(id, PathState::execution);
    case Scoreboard::Wait::memory:
      return p_.warps.enter(id, PathState::memory);
    case Scoreboard::Wait::none:
      return p_.warps.enter_ready(id, next, LoadStore::takes(next.klass), false);
  }
}

/// The same for every kind of warp, instruction and unit.
void WarpProgress::look_closely(PathId id) {
  const WarpSlot& slot = p_.warps.of(id);
  const isa::Instruction& next = *slot.warp.next(path_of(id));
  const isa::RegisterSet& hazards = slot.program->hazards[slot.warp.pc(path_of(id))];
  const Scoreboard::Wait wait =
      changes_frame(next.kind) ? p_.scoreboard.wait_all(id) : p_.scoreboard.wait(id, hazards);
  if (wait == Scoreboard::Wait::execution) return p_.warps.enter(id, PathState::execution);
  if (wait == Scoreboard::Wait::memory) {
    p_.warps.enter(id, PathState::memory);
    if (subdivision_ != nullptr) [[unlikely]]
      subdivision_->stalled(id);
    return;
  }
  const bool past = !p_.attached.empty() && !p_.attached.collects_operands(next);
  p_.warps.enter_ready(id, next, LoadStore::takes(next.klass), past);
}

/// Whether a path in this state is examined when its wake event comes. In other states the event is
/// void: the path stopped running, or runs elsewhere.
bool WarpProgress::waits_for_event(PathState state) {
  return state == PathState::fetch || state == PathState::no_instruction ||
         state == PathState::asleep || state == PathState::runtime || state == PathState::fence;
}

void WarpProgress::wait_at_fence(PathId id, bool wide, Cycle now) {
  p_.warps.set_until(id, wide ? kNever : kNarrowFence);
  p_.warps.enter(id, PathState::fence);
  awaited_[id] = static_cast<std::uint8_t>(p_.memory.paths_outstanding(warp_of(id)));
  if (fence_is_met(id)) pass_fence(id, now);
}

/// Whether the accesses of the warp from before the fence are acknowledged; its lanes may have
/// issued them on any path. Asked after each access of the warp that ends. A path that has had no
/// outstanding access once has none from before the fence. It would be wrong to wait until no path
/// has any: other lanes may issue accesses meanwhile, while they spin on a value that is written
/// behind the fence.
bool WarpProgress::fence_is_met(PathId id) {
  awaited_[id] &= static_cast<std::uint8_t>(p_.memory.paths_outstanding(warp_of(id)));
  return awaited_[id] == 0;
}

/// The accesses are acknowledged.
void WarpProgress::pass_fence(PathId id, Cycle now) {
  const Cycle until = p_.warps.until(id);
  if (until < kNarrowFence) return;  // the fence has been passed, and its latency runs
  const unsigned latency = until == kNever ? p_.memory.end_fence() : 0;
  if (latency == 0) return look_at_next(id, now);
  wait_until(id, PathState::fence, now + latency, now);
}

void WarpProgress::wake_path(PathId id, Cycle now) {
  const PathState state = p_.warps.state(id);
  const Cycle at = p_.warps.until(id);
  // The path may have stopped running meanwhile, may run elsewhere, or belong to another warp.
  if (!waits_for_event(state) || at >= kNarrowFence) return;
  if (at > now) return wait_until(id, state, at, now);
  if (const Cycle until = p_.warps.of(id).warp.context().waits_until; until > now) {
    if (until == kNever) return wait_endlessly(id);
    return wait_until(id, PathState::runtime, until, now);
  }
  look_at_next(id, now);
}

void WarpProgress::reconsider_path(PathId id, Cycle now) {
  switch (p_.warps.state(id)) {
    case PathState::ready:
      if (p_.warps.paths() > 1) look_at_next(id, now);  // a call of another path may hold it
      return;
    case PathState::execution:
    case PathState::memory:
      // Its buffer has kept the instruction meanwhile.
      return p_.warps.paths() == 1 ? look_at_operands(id) : look_at_next(id, now);
    case PathState::fence:
      if (fence_is_met(id)) pass_fence(id, now);
      return;
    case PathState::ending:
      return finish_ending(warp_of(id));
    default:
      return;
  }
}

void WarpProgress::start_warp(unsigned warp, Cycle at, Cycle now) {
  const Warp& started = p_.warps[warp].warp;
  p_.warps.for_each_path(warp, [&](PathId id) {
    if (started.next(path_of(id)) == nullptr) return p_.warps.enter(id, PathState::idle);
    wait_until(id, PathState::fetch, at, now);
  });
}

void WarpProgress::look_for_instructions(Cycle now) {
  for (WarpMask waiting = p_.warps.in(PathState::no_instruction); waiting != 0;
       waiting &= waiting - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(waiting));
    p_.warps.for_each_path(warp, [&](PathId id) {
      const bool waits =
          p_.warps.state(id) == PathState::no_instruction && p_.warps.until(id) == kNever;
      if (waits) look_at_next(id, now);
    });
  }
}

void WarpProgress::wake_endless(unsigned warp, Cycle now) {
  p_.warps.for_each_path(warp, [&](PathId id) {
    // A path in any other state has not begun the wait yet.
    if (!waits_endlessly(id)) return;
    --endless_waits_;
    p_.accounts.account_until(now + 1);
    wait_until(id, PathState::runtime, p_.warps[warp].warp.context().waits_until, now);
    p_.clock.rouse(p_.events.next_after(now));
  });
}

void WarpProgress::arrive_at_barrier(unsigned warp, Cycle now) {
  if (p_.warps[warp].warp.runs()) {
    // Another warp of its group (formed_issue.h) has let its lanes continue meanwhile.
    start_parted(warp, now);
  } else {
    p_.warps.enter_whole(warp, PathState::barrier);
  }
  release_barriers(*p_.warps[warp].block, now);
}

void WarpProgress::release_barriers(ResidentBlock& block, Cycle now) {
  for (std::uint32_t released = block.barriers.take_released(); released != 0;
       released &= released - 1) {
    const unsigned warp = block.warps[static_cast<unsigned>(std::countr_zero(released))];
    const Cycle until = now + p_.execute.latency(isa::Class::barrier);
    const PathState state = p_.warps.state_of_warp(warp);
    if (p_.warps.paths() > 1) {
      start_changed_paths(warp, until, now);
    } else if (state == PathState::barrier || state == PathState::parked) {
      wait_until(path_id(warp, 0), PathState::fetch, until, now);
    }
  }
}

void WarpProgress::end_warp(unsigned warp, Cycle now) {
  p_.warps.enter_whole(warp, PathState::ending);
  // A barrier does not wait for warps that have exited.
  release_barriers(*p_.warps[warp].block, now);
  finish_ending(warp);
}

/// A warp that has exited keeps its slot until its accesses and results have come. Its stores may
/// complete after it has left.
void WarpProgress::finish_ending(unsigned warp) {
  if (awaits_results(warp)) return;
  if (p_.memory.outstanding(warp) != 0) {
    const std::uint64_t grid = p_.warps[warp].block->grid->id;
    if (p_.stores_hold_warps || !p_.memory.leave_stores(warp, grid)) return;
  }
  p_.warps.enter_whole(warp, PathState::ended);
  if (--p_.warps[warp].block->running == 0) ++ended_blocks_;
}

bool WarpProgress::awaits_results(unsigned warp) const {
  bool awaited = p_.warps[warp].unit_results != 0;
  p_.warps.for_each_path(warp, [&](PathId id) { awaited = awaited || !p_.scoreboard.empty(id); });
  return awaited;
}

bool WarpProgress::drained(unsigned warp) const {
  return p_.memory.outstanding(warp) == 0 && !awaits_results(warp);
}

/// Paths that now run elsewhere fetch their new instruction, at cycle `until` at the earliest.
/// Returns a bit for each of them.
unsigned WarpProgress::start_changed_paths(unsigned warp, Cycle until, Cycle now) {
  WarpSlot& slot = p_.warps[warp];
  const unsigned changed = slot.warp.take_changed_paths();
  p_.warps.for_each_path(warp, [&](PathId id) {
    const unsigned path = path_of(id);
    if (slot.warp.next(path) == nullptr) {
      p_.warps.enter(id, PathState::idle);
    } else if ((changed >> path & 1) != 0) {
      p_.scoreboard.inherit(id);
      wait_until(id, PathState::fetch, until, now);
    }
  });
  return changed;
}

void WarpProgress::follow_block(ResidentBlock& block, Cycle now) {
  std::uint32_t rest = p_.warps[block.warps.front()].warp.take_changed_in_block();
  for (; rest != 0; rest &= rest - 1) {
    const unsigned warp = block.warps[static_cast<unsigned>(std::countr_zero(rest))];
    const PathState state = p_.warps.state_of_warp(warp);
    if (state == PathState::ending || state == PathState::ended) continue;
    Warp& one = p_.warps[warp].warp;
    one.rechoose();
    if (one.runs()) {
      start_changed_paths(warp, now + p_.execute.latency(isa::Class::branch), now);
    } else if (state != PathState::parked) {
      p_.warps.enter_whole(warp, PathState::barrier);
    }
  }
}

bool WarpProgress::follow_paths(PathId id, const Step& step, Cycle delay, Cycle now) {
  const unsigned warp = warp_of(id);
  const bool calls = step.instruction != nullptr && step.instruction->kind == isa::Kind::builtin;
  if (calls) {
    // The whole warp waits for its call.
    p_.warps.for_each_path(warp, [&](PathId other) {
      if (other != id) reconsider_path(other, now);
    });
  }
  const isa::Class klass =
      step.instruction == nullptr ? isa::Class::branch : step.instruction->klass;
  const unsigned changed = start_changed_paths(warp, now + delay + p_.execute.latency(klass), now);
  return p_.warps[warp].warp.next(path_of(id)) != nullptr && (changed >> path_of(id) & 1) == 0;
}

/// A call of the device runtime holds all paths of its warp.
bool WarpProgress::waits_for_call(PathId id, Cycle now) {
  const Cycle until = p_.warps.of(id).warp.context().waits_until;
  if (until <= now) return false;
  if (until == kNever) {
    wait_endlessly(id);
  } else {
    wait_until(id, PathState::runtime, until, now);
  }
  return true;
}

void WarpProgress::wake_lanes(unsigned warp, LaneMask lanes, Cycle at, Cycle now) {
  WarpSlot& slot = p_.warps[warp];
  if (p_.warps.state_of_warp(warp) == PathState::vacant) return;
  if (!p_.clock.in_cycle) p_.accounts.account_until(now + 1);
  const bool whole = slot.warp.wake_lanes(lanes);
  // They are examined when the warp continues.
  if (p_.warps.state_of_warp(warp) == PathState::preempted) return;
  if (p_.warps.paths() > 1) {
    bool runs = false;
    p_.warps.for_each_path(warp,
                           [&](PathId id) { runs |= slot.warp.next(path_of(id)) != nullptr; });
    if (runs) start_changed_paths(warp, at, now);
  } else if (whole) {
    wait_until(path_id(warp, 0), PathState::fetch, at, now);
  }
  if (!p_.clock.in_cycle) p_.clock.rouse(now + 1);
}

void WarpProgress::stop_warp(unsigned warp, Cycle now) {
  const PathState state = p_.warps.state_of_warp(warp);
  if (state == PathState::ending || state == PathState::ended) return;
  std::array<PathRecord, kMostPaths>& before = p_.warps[warp].before;
  p_.warps.for_each_path(warp, [&](PathId id) {
    endless_waits_ -= waits_endlessly(id);
    PathRecord& path = before[path_of(id)];
    path = p_.warps.record(id);
    if (path.state == PathState::asleep) path.until -= std::min(path.until, now + 1);
  });
  p_.warps.enter_whole(warp, PathState::preempted);
}

void WarpProgress::resume_path(PathId id, Cycle now) {
  const WarpSlot& slot = p_.warps.of(id);
  const PathRecord& before = slot.before[path_of(id)];
  p_.warps.set_last_issued(id, before.last_issued);
  if (slot.warp.next(path_of(id)) == nullptr) {
    // Lanes that have been woken meanwhile may run on another path than the one on which the warp
    // waited.
    return p_.warps.enter(id, slot.warp.runs() ? PathState::idle : before.state);
  }
  const Cycle until = slot.warp.context().waits_until;
  if (before.state == PathState::asleep) {
    wait_until(id, PathState::asleep, now + 1 + before.until, now);
  } else if (before.state == PathState::runtime && until == kNever) {
    wait_endlessly(id);
  } else if (before.state == PathState::runtime) {
    wait_until(id, PathState::runtime, std::max(until, now + 1), now);
  } else {
    wait_until(id, PathState::fetch, now + 1, now);
  }
}

}  // namespace raddle::machine
