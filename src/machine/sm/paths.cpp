// Warps with several paths: what one of them does to the others.
#include "machine/sm/sm.h"

namespace raddle::machine {

/// Whether a path in this state is looked at when its wake event comes. Others have lost their
/// event's reason: the path stopped running, or runs something else.
bool Sm::waits_for_event(State state) {
  return state == State::fetch || state == State::no_instruction || state == State::asleep ||
         state == State::runtime;
}

/// Paths that have come to run something else fetch it; `until`: when they may at the earliest.
/// A bit for each of them.
unsigned Sm::start_changed_paths(unsigned warp, Cycle until, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  const unsigned changed = slot.warp.take_changed_paths();
  for_each_path(warp, [&](PathId id) {
    const unsigned path = path_of(id);
    if (slot.warp.next(path) == nullptr) {
      enter(id, State::idle);
    } else if ((changed >> path & 1) != 0) {
      scoreboard_.inherit(id);
      wait_until(id, State::fetch, until, now);
    }
  });
  return changed;
}

/// After a step of one path others may run something else, or nothing. False: so does this one.
bool Sm::follow_paths(PathId id, const Step& step, Cycle delay, Cycle now) {
  const unsigned warp = warp_of(id);
  WarpSlot& slot = *slots_[warp];
  const bool calls = step.instruction != nullptr && step.instruction->kind == isa::Kind::builtin;
  if (calls) {
    // The warp waits as a whole for what it has called.
    for_each_path(warp, [&](PathId other) {
      if (other != id) reconsider_path(other, now);
    });
  }
  const isa::Class klass =
      step.instruction == nullptr ? isa::Class::branch : step.instruction->klass;
  const unsigned changed = start_changed_paths(warp, now + delay + units_.latency(klass), now);
  return slot.warp.next(path_of(id)) != nullptr && (changed >> path_of(id) & 1) == 0;
}

/// A call of the device runtime holds all paths of its warp.
bool Sm::waits_for_call(PathId id, Cycle now) {
  const Cycle until = slot_of(id).warp.context().waits_until;
  if (until <= now) return false;
  if (until == kNever) {
    wait_endlessly(id);
  } else {
    wait_until(id, State::runtime, until, now);
  }
  return true;
}

}  // namespace raddle::machine
