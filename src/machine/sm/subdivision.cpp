#include "machine/sm/subdivision.h"

#include <bit>
#include <utility>

namespace raddle::machine {

Subdivision::Subdivision(Parts parts, std::string_view when)
    : p_(std::move(parts)),
      when_(when == "aggressive" ? When::aggressive
            : when == "lazy"     ? When::lazy
            : when == "revive"   ? When::revive
                                 : When::none) {}

void Subdivision::stalled(PathId id) {
  p_.warps.of(id).warp.stalled(path_of(id));
  if (when_ == When::none) return;
  waiting_[path_of(id)] |= warp_bit(warp_of(id));
  any_ = true;
}

void Subdivision::lanes_came(unsigned warp) {
  p_.warps.for_each_path(warp, [&](PathId id) {
    if (p_.warps.state(id) == PathState::memory) stalled(id);
  });
}

void Subdivision::cycle(Cycle now) {
  if (!any_) return;
  const bool idle = p_.warps.in(PathState::ready) == 0;
  if (when_ == When::revive && !idle) return;  // only when no warp is ready
  any_ = false;
  for (unsigned path = 0; path < kMostPaths; ++path) {
    for (WarpMask rest = std::exchange(waiting_[path], 0); rest != 0; rest &= rest - 1) {
      const PathId id = path_id(static_cast<unsigned>(std::countr_zero(rest)), path);
      if (idle || when_ == When::aggressive) divide(id, now);
    }
  }
}

/// The lanes of a path that have all operands of its next instruction. `come`: those registers for
/// which some lanes of the warp still wait.
LaneMask Subdivision::lanes_with_data(PathId id, Scoreboard::Results& come) const {
  const WarpSlot& slot = p_.warps.of(id);
  const isa::RegisterSet& hazards = slot.program->hazards[slot.warp.pc(path_of(id))];
  LaneMask lanes = slot.warp.lanes(path_of(id));
  arrivals_->for_each(warp_of(id), [&](const Arrivals::Access& access) {
    const isa::RegisterSet& writes = slot.program->writes[access.code];
    if (!writes.meets(hazards)) return;
    lanes &= ~access.awaited;
    come[path_of(access.path)].add(writes);
  });
  return lanes;
}

void Subdivision::divide(PathId id, Cycle now) {
  if (p_.warps.state(id) != PathState::memory) return;
  WarpSlot& slot = p_.warps.of(id);
  const isa::RegisterSet& hazards = slot.program->hazards[slot.warp.pc(path_of(id))];
  Scoreboard::Results come;
  const LaneMask lanes = lanes_with_data(id, come);
  if (lanes == 0 || lanes == slot.warp.lanes(path_of(id))) return;
  // Results that are not tracked for each lane (shared memory, units): all lanes wait for all of
  // them.
  if (p_.scoreboard.waits_without(id, hazards, come)) return;
  const unsigned made = slot.warp.subdivide(path_of(id), lanes);
  if (made == kMostPaths) return;
  p_.start(warp_of(id), now);
  p_.scoreboard.disown(path_id(warp_of(id), made), come);
}

}  // namespace raddle::machine
