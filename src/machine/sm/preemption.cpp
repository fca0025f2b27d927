// Blocks that leave the SM before their end and come back, to this or another one: because they are
// asked to (thread-block-management, section V.A), or because their warps wait for work that others
// do (dynamic-thread-block-launch, section 2.4: a parent that waits yields to its children).
//
// A block that leaves issues nothing more. When what it has under way has ended, its state is stored
// through the SM's port, and its place becomes free when all of that has been acknowledged. When it
// has a place again, its state is loaded, and its warps go on where they stopped.
#include <algorithm>
#include <bit>

#include "machine/sm/sm.h"

namespace raddle::machine {

using Presence = ResidentBlock::Presence;

/// One warp or more waits to be woken, the others at barriers or for the end of the block, and
/// nothing of theirs is under way.
bool Sm::stuck(const ResidentBlock& block) const {
  bool waits = false;
  for (const std::uint8_t warp : block.warps) {
    const WarpSlot& slot = *slots_[warp];
    const bool woken = slot.warp.context().waits_until != kNever;
    for (const PathSlot& path : slot.paths) {
      if (path.state == State::runtime && !woken) {
        waits = true;
      } else if (path.state != State::barrier && path.state != State::ended &&
                 path.state != State::idle) {
        return false;
      }
    }
    if (!drained(warp) || !units_drained(warp)) return false;
  }
  return waits;
}

bool Sm::can_leave(const ResidentBlock& block) const {
  if (block.grid == nullptr || block.presence != Presence::running) return false;
  return std::any_of(block.warps.begin(), block.warps.end(), [&](std::uint8_t warp) {
    return slots_[warp]->state() != State::ending && slots_[warp]->state() != State::ended;
  });
}

void Sm::enter_presence(ResidentBlock& block, Presence presence, Cycle at) {
  const Cycle spent = at - block.present_since;
  if (block.presence == Presence::draining) preemption_stats_.draining_cycles += spent;
  if (block.presence == Presence::saving) preemption_stats_.saving_cycles += spent;
  if (block.presence == Presence::restoring) preemption_stats_.restoring_cycles += spent;
  block.presence = presence;
  block.present_since = at;
}

void Sm::stop_block(ResidentBlock& block, bool forced, Cycle now) {
  account_until(now + 1);
  block.forced = forced;
  enter_presence(block, Presence::draining, now + 1);
  for (const std::uint8_t warp : block.warps) stop_warp(warp, now);
  rouse(now + 1);
}

/// A warp that has exited goes on ending.
void Sm::stop_warp(unsigned warp, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  if (slot.state() == State::ending || slot.state() == State::ended) return;
  for_each_path(warp, [&](PathId id) { endless_waits_ -= waits_endlessly(id); });
  slot.before = slot.paths;
  for (PathSlot& path : slot.before) {
    if (path.state == State::asleep) path.until -= std::min(path.until, now + 1);
  }
  enter_whole(warp, State::preempted);
}

bool Sm::drained(const ResidentBlock& block) const {
  return std::all_of(block.warps.begin(), block.warps.end(), [&](std::uint8_t warp) {
    return slots_[warp]->state() != State::ending && drained(unsigned{warp}) && units_drained(warp);
  });
}

/// What has to be saved of the block: its shared memory, and what its warps that have not ended
/// have. Of their local memory only what no cache but this SM's knows.
std::uint64_t Sm::state_bytes(const ResidentBlock& block) const {
  std::uint64_t bytes = block.context.shared_bytes + block.barriers.state_bytes();
  for (const std::uint8_t warp : block.warps) {
    if (slots_[warp]->state() != State::preempted) continue;
    bytes += slots_[warp]->warp.state_bytes() + unit_state_bytes(warp);
  }
  return bytes;
}

void Sm::save(ResidentBlock& block, Cycle now) {
  enter_presence(block, Presence::saving, now + 1);
  const std::uint64_t bytes = state_bytes(block);
  if (!block.place.holds(bytes)) block.place = ContextMemory::Place(contexts_, bytes);
  block.saved_bytes = bytes;
  std::vector<DirtyLine> lines;
  for (const std::uint8_t warp : block.warps) {
    if (slots_[warp]->state() == State::preempted) memory_.give_up_stretch(warp, lines);
  }
  block.transfer = mover_.save(block.place.address(), bytes, std::move(lines));
  rouse(now + 1);
}

std::unique_ptr<Sm::Swapped> Sm::swap_out(ResidentBlock& block, Cycle now) {
  account_until(now + 1);
  enter_presence(block, Presence::running, now + 1);
  mover_.drop(block.transfer);
  auto swapped = std::make_unique<Swapped>();
  WarpMask leaving = 0;
  std::vector<DirtyLine> dead;  // of warps that have ended
  for (const std::uint8_t warp : block.warps) {
    const State state = slots_[warp]->state();
    if (state == State::ended) memory_.give_up_stretch(warp, dead);
    leave_units(warp);
    enter_whole(warp, State::vacant);
    schedulers_[scheduler_of(warp)].policy().ended(warp);
    slots_[warp]->paths[0].state = state;  // in which it comes back
    swapped->warps.push_back(std::exchange(slots_[warp], std::make_unique<WarpSlot>()));
    swapped->stretches.push_back(memory_.exchange_stretch(warp, contexts_.take_stretch()));
    leaving |= warp_bit(warp);
  }
  events_.remove_if(
      [&](const WarpEvent& event) { return (leaving >> warp_of(event.path) & 1) != 0; });
  block.tell_grid();
  retired_ += block.warp_instructions;
  give_resources(block.needs);
  const std::uint32_t slot = block.context.slot;
  if (observer_ != nullptr) {
    observer_->block_ended(index_, slot, block.warp_instructions, now + 1);
  }
  block.warp_instructions = block.thread_instructions = 0;
  block.forced = block.considered = false;
  block.context.sm = isa::BlockContext::kNowhere;
  ++block.departures;
  ++preemption_stats_.left;
  swapped->block = std::exchange(blocks_[slot], std::make_unique<ResidentBlock>());
  return swapped;
}

bool Sm::Swapped::waits() const {
  bool waits = false;
  for (const auto& warp : warps) {
    if (warp->state() == State::ended) continue;
    const bool woken = warp->warp.context().waits_until != kNever;
    for (const PathSlot& path : warp->before) {
      if (path.state == State::runtime && !woken) {
        waits = true;
      } else if (path.state != State::barrier && path.state != State::idle) {
        return false;
      }
    }
  }
  return waits;
}

/// Puts a warp of the block into a vacant slot.
unsigned Sm::take_slot(ResidentBlock& block, std::unique_ptr<WarpSlot> arriving) {
  const auto warp = static_cast<unsigned>(std::countr_zero(in(State::vacant)));
  const isa::Program& program = *block.grid->program;
  const State state = arriving->state();
  arriving->paths[0].state = State::vacant;
  slots_[warp] = std::move(arriving);
  WarpSlot& slot = *slots_[warp];
  slot.counts = profile_ == nullptr ? nullptr : profile_->counts(index_, program);
  slot.warp.context().slot = warp;
  slot.warp.context().global = &port_;
  ages_[warp] = warps_placed_++;
  schedulers_[scheduler_of(warp)].policy().started(warp);
  for_each_path(warp, [&](PathId id) { frontend_.start(id, program); });
  enter_whole(warp, state);
  return warp;
}

const ResidentBlock& Sm::swap_in(std::unique_ptr<Swapped> swapped, Cycle now) {
  account_until(now + 1);
  const auto vacant = std::find_if(blocks_.begin(), blocks_.end(),
                                   [](const auto& block) { return block->grid == nullptr; });
  *vacant = std::move(swapped->block);
  ResidentBlock& block = **vacant;
  take_resources(block.needs);
  memory_.invalidate();  // its warps see what they have written elsewhere, and others meanwhile
  memory_.reserve_shared(shared_wanted(block.needs));
  isa::BlockContext& context = block.context;
  context.slot = static_cast<std::uint32_t>(vacant - blocks_.begin());
  context.sm = index_;
  std::vector<DirtyLine> dead;  // of warps that had the slots before
  for (std::size_t n = 0; n < block.warps.size(); ++n) {
    const unsigned warp = take_slot(block, std::move(swapped->warps[n]));
    block.warps[n] = static_cast<std::uint8_t>(warp);
    memory_.give_up_stretch(warp, dead);
    contexts_.give_stretch(memory_.exchange_stretch(warp, swapped->stretches[n]));
  }
  enter_presence(block, Presence::restoring, now + 1);
  block.transfer = mover_.restore(block.place.address(), block.saved_bytes);
  ++restoring_;
  block.since = now + 1;
  if (counts_blocks_) [[unlikely]]
    begin_counts(block);
  rouse(now + 1);
  if (observer_ != nullptr) {
    observer_->block_started(block.grid->record, context.index, index_, context.slot, now + 1);
  }
  return block;
}

/// Blocks of which all state has come go on.
void Sm::resume_restored(Cycle now) {
  for (const auto& block : blocks_) {
    if (block->grid == nullptr || block->presence != Presence::restoring) continue;
    if (!mover_.done(block->transfer)) continue;
    --restoring_;
    ++preemption_stats_.returned;
    // Units here know nothing of lanes that waited for those elsewhere.
    for (const std::uint8_t warp : block->warps) {
      Warp& one = slots_[warp]->warp;
      if (const LaneMask lanes = one.parked_lanes(); lanes != 0) one.wake_lanes(lanes);
    }
    resume_block(*block, now);
  }
}

/// The warps of a block that is leaving, or whose state has come, go on from the next cycle on.
void Sm::resume_block(ResidentBlock& block, Cycle now) {
  if (block.presence != Presence::draining) mover_.drop(block.transfer);
  enter_presence(block, Presence::running, now + 1);
  for (const std::uint8_t warp : block.warps) {
    WarpSlot& slot = *slots_[warp];
    if (slot.state() != State::preempted) continue;
    slot.warp.take_changed_paths();  // they are looked at anyhow
    for_each_path(warp, [&](PathId id) { resume_path(id, slot.before[path_of(id)], now); });
  }
  rouse(events_.next_after(now));
}

/// A path goes on from the state in which its warp was stopped, or from where it has come since.
void Sm::resume_path(PathId id, const PathSlot& before, Cycle now) {
  const WarpSlot& slot = slot_of(id);
  path_slot(id).last_issued = before.last_issued;
  if (slot.warp.next(path_of(id)) == nullptr) return enter(id, before.state);
  const Cycle until = slot.warp.context().waits_until;
  if (before.state == State::asleep) {
    wait_until(id, State::asleep, now + 1 + before.until, now);
  } else if (before.state == State::runtime && until == kNever) {
    wait_endlessly(id);
  } else if (before.state == State::runtime) {
    wait_until(id, State::runtime, std::max(until, now + 1), now);
  } else {
    wait_until(id, State::fetch, now + 1, now);
  }
}

}  // namespace raddle::machine
