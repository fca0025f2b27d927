#include "machine/sm/preemption.h"

#include <algorithm>

namespace raddle::machine {

using Presence = ResidentBlock::Presence;

bool Preemption::stuck(const ResidentBlock& block) const {
  bool waits = false, goes_on = false;
  for (const std::uint8_t warp : block.warps) {
    const bool woken = p_.warps[warp].warp.context().waits_until != kNever;
    p_.warps.for_each_path(warp, [&](PathId id) {
      const PathState state = p_.warps.state(id);
      if (state == PathState::runtime && !woken) {
        waits = true;
      } else if (state != PathState::barrier && state != PathState::ended &&
                 state != PathState::idle) {
        goes_on = true;
      }
    });
    if (goes_on || !p_.progress.drained(warp) || !p_.attached.drained(warp)) return false;
  }
  return waits;
}

bool Preemption::can_leave(const ResidentBlock& block) const {
  if (block.grid == nullptr || block.presence != Presence::running) return false;
  return std::any_of(block.warps.begin(), block.warps.end(), [&](std::uint8_t warp) {
    const PathState state = p_.warps.state_of_warp(warp);
    return state != PathState::ending && state != PathState::ended;
  });
}

void Preemption::enter(ResidentBlock& block, Presence presence, Cycle at) {
  const Cycle spent = at - block.present_since;
  if (block.presence == Presence::draining) p_.stats.draining_cycles += spent;
  if (block.presence == Presence::saving) p_.stats.saving_cycles += spent;
  if (block.presence == Presence::restoring) p_.stats.restoring_cycles += spent;
  block.presence = presence;
  block.present_since = at;
}

void Preemption::stop(ResidentBlock& block, const DepartureRequest& request, Cycle now) {
  p_.accounts.account_until(now + 1);
  block.forced = request.insistence != Insistence::unless_woken;
  block.drops = request.drop;
  block.path = request.state;
  enter(block, Presence::draining, now + 1);
  for (const std::uint8_t warp : block.warps) p_.progress.stop_warp(warp, now);
  p_.clock.rouse(now + 1);
}

bool Preemption::drained(const ResidentBlock& block) const {
  return std::all_of(block.warps.begin(), block.warps.end(), [&](std::uint8_t warp) {
    return p_.warps.state_of_warp(warp) != PathState::ending && p_.progress.drained(warp) &&
           p_.attached.drained(warp);
  });
}

/// Bytes to be saved of the block: its shared memory, and the state of its warps that have not
/// ended. Of their local memory, only lines that are dirty in this SM's cache.
std::uint64_t Preemption::state_bytes(const ResidentBlock& block) const {
  std::uint64_t bytes = block.context.shared_bytes + block.barriers.state_bytes();
  for (const std::uint8_t warp : block.warps) {
    if (p_.warps.state_of_warp(warp) != PathState::preempted) continue;
    bytes += p_.warps[warp].warp.state_bytes() + p_.attached.state_bytes(warp);
  }
  return bytes;
}

void Preemption::save(ResidentBlock& block, Cycle now) {
  enter(block, Presence::saving, now + 1);
  const std::uint64_t bytes = state_bytes(block);
  if (!block.place.holds(bytes)) block.place = ContextMemory::Place(p_.contexts, bytes);
  block.saved_bytes = bytes;
  std::vector<DirtyLine> lines;
  for (const std::uint8_t warp : block.warps) {
    if (p_.warps.state_of_warp(warp) == PathState::preempted) {
      p_.memory.give_up_stretch(warp, lines);
    }
  }
  block.transfer = p_.mover.save(block.place.address(), bytes, std::move(lines), block.path);
  p_.clock.rouse(now + 1);
}

std::unique_ptr<SwappedBlock> Preemption::swap_out(ResidentBlock& block, Cycle now) {
  p_.accounts.account_until(now + 1);
  auto swapped = std::make_unique<SwappedBlock>();
  swapped->dropped = block.presence == Presence::draining;
  if (!swapped->dropped) p_.mover.drop(block.transfer);
  enter(block, Presence::running, now + 1);
  WarpMask leaving = 0;
  std::vector<DirtyLine> dead;  // lines of warps that have ended
  for (const std::uint8_t warp : block.warps) {
    const PathState state = p_.warps.state_of_warp(warp);
    if (state == PathState::ended || swapped->dropped) p_.memory.give_up_stretch(warp, dead);
    p_.attached.leave(warp, now);
    p_.warps[warp].away = state;
    p_.residency.vacate(warp);
    swapped->warps.push_back(p_.warps.exchange(warp, std::make_unique<WarpSlot>()));
    swapped->stretches.push_back(p_.memory.exchange_stretch(warp, p_.contexts.take_stretch()));
    leaving |= warp_bit(warp);
  }
  p_.events.remove_if(
      [&](const WarpEvent& event) { return (leaving >> warp_of(event.path) & 1) != 0; });
  block.forced = block.considered = block.drops = false;
  ++block.departures;
  ++p_.stats.left;
  swapped->block = p_.residency.leave(block, now);
  return swapped;
}

bool SwappedBlock::waits() const {
  if (dropped) return false;
  bool waits = false;
  for (const auto& warp : warps) {
    if (warp->away == PathState::ended) continue;
    const bool woken = warp->warp.context().waits_until != kNever;
    for (const PathRecord& path : warp->before) {
      if (path.state == PathState::runtime && !woken) {
        waits = true;
      } else if (path.state != PathState::barrier && path.state != PathState::idle) {
        return false;
      }
    }
  }
  return waits;
}

/// Puts the block's n-th warp into a vacant slot.
void Preemption::take_slot(ResidentBlock& block, std::size_t n, SwappedBlock& swapped) {
  const unsigned warp = p_.residency.vacant_warp();
  const PathState state = swapped.warps[n]->away;
  p_.warps.exchange(warp, std::move(swapped.warps[n]));
  p_.warps[warp].warp.context().global = &p_.global.of(block.context.grid->client);
  p_.residency.occupy(warp, *block.grid->program);
  p_.warps.enter_whole(warp, state);
  block.warps[n] = static_cast<std::uint8_t>(warp);
  std::vector<DirtyLine> dead;  // lines of the warp that had the slot before
  p_.memory.give_up_stretch(warp, dead);
  p_.contexts.give_stretch(p_.memory.exchange_stretch(warp, swapped.stretches[n]));
}

void Preemption::discard(std::unique_ptr<SwappedBlock> swapped) {
  for (const std::uint32_t stretch : swapped->stretches) p_.contexts.give_stretch(stretch);
}

const ResidentBlock& Preemption::begin_anew(const SwappedBlock& swapped, Cycle now) {
  for (const std::uint32_t stretch : swapped.stretches) p_.contexts.give_stretch(stretch);
  const ResidentBlock& before = *swapped.block;
  ResidentBlock& block =
      p_.residency.place(*before.grid, *before.context.grid, before.context.index, now);
  block.departures = before.departures;
  ++p_.stats.returned;
  return block;
}

const ResidentBlock& Preemption::swap_in(std::unique_ptr<SwappedBlock> swapped, Cycle now) {
  if (swapped->dropped) return begin_anew(*swapped, now);
  p_.accounts.account_until(now + 1);
  ResidentBlock& block = p_.residency.come(std::move(swapped->block), now);
  for (std::size_t n = 0; n < block.warps.size(); ++n) take_slot(block, n, *swapped);
  enter(block, Presence::restoring, now + 1);
  block.transfer = p_.mover.restore(block.place.address(), block.saved_bytes, block.path);
  ++restoring_;
  if (p_.charges.active()) [[unlikely]]
    p_.charges.begin_counts(block);
  p_.clock.rouse(now + 1);
  return block;
}

void Preemption::resume_restored(Cycle now) {
  for (const auto& block : p_.residency.blocks()) {
    if (block->grid == nullptr || block->presence != Presence::restoring) continue;
    if (!p_.mover.done(block->transfer)) continue;
    --restoring_;
    ++p_.stats.returned;
    // Units here do not know lanes that waited for units elsewhere.
    for (const std::uint8_t warp : block->warps) {
      Warp& one = p_.warps[warp].warp;
      if (const LaneMask lanes = one.parked_lanes(); lanes != 0) one.wake_lanes(lanes);
    }
    resume(*block, now);
  }
}

void Preemption::resume(ResidentBlock& block, Cycle now) {
  if (block.presence != Presence::draining) p_.mover.drop(block.transfer);
  enter(block, Presence::running, now + 1);
  for (const std::uint8_t warp : block.warps) {
    if (p_.warps.state_of_warp(warp) != PathState::preempted) continue;
    p_.warps[warp].warp.take_changed_paths();  // the paths are examined in any case
    p_.warps.for_each_path(warp, [&](PathId id) { p_.progress.resume_path(id, now); });
  }
  p_.clock.rouse(p_.events.next_after(now));
}

}  // namespace raddle::machine
