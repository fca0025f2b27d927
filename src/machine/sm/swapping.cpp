// Blocks that leave the SM before their end, because their warps wait for work that others do, and
// come back (dynamic-thread-block-launch, section 2.4: a parent that waits yields to its children).
#include <algorithm>
#include <bit>

#include "machine/sm/sm.h"

namespace raddle::machine {

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

std::unique_ptr<Sm::Swapped> Sm::swap_out(ResidentBlock& block, Cycle now) {
  account_until(now + 1);
  auto swapped = std::make_unique<Swapped>();
  for (const std::uint8_t warp : block.warps) {
    const auto paths = slots_[warp]->paths;  // in whose states it comes back
    for_each_path(warp, [&](PathId id) { endless_waits_ -= waits_endlessly(id); });
    leave_units(warp);
    enter_whole(warp, State::vacant);
    schedulers_[scheduler_of(warp)].policy().ended(warp);
    slots_[warp]->paths = paths;
    swapped->warps.push_back(std::exchange(slots_[warp], std::make_unique<WarpSlot>()));
  }
  block.tell_grid();
  retired_ += block.warp_instructions;
  give_resources(block.needs);
  const std::uint32_t slot = block.context.slot;
  if (observer_ != nullptr) {
    observer_->block_ended(index_, slot, block.warp_instructions, now + 1);
  }
  block.warp_instructions = block.thread_instructions = 0;
  block.leaves_at = 0;
  block.context.sm = isa::BlockContext::kNowhere;
  swapped->block = std::exchange(blocks_[slot], std::make_unique<ResidentBlock>());
  return swapped;
}

const ResidentBlock& Sm::swap_in(std::unique_ptr<Swapped> swapped, Cycle restored, Cycle now) {
  account_until(now + 1);
  const auto vacant = std::find_if(blocks_.begin(), blocks_.end(),
                                   [](const auto& block) { return block->grid == nullptr; });
  *vacant = std::move(swapped->block);
  ResidentBlock& block = **vacant;
  take_resources(block.needs);
  memory_.invalidate();  // its warps see what their children have written
  memory_.reserve_shared(shared_wanted(block.needs));
  isa::BlockContext& context = block.context;
  context.slot = static_cast<std::uint32_t>(vacant - blocks_.begin());
  context.sm = index_;
  const isa::Program& program = *block.grid->program;
  for (std::size_t n = 0; n < block.warps.size(); ++n) {
    const auto warp = static_cast<unsigned>(std::countr_zero(in(State::vacant)));
    const auto paths = std::exchange(swapped->warps[n]->paths, WarpSlot().paths);
    slots_[warp] = std::move(swapped->warps[n]);
    WarpSlot& slot = *slots_[warp];
    slot.counts = profile_ == nullptr ? nullptr : profile_->counts(index_, program);
    slot.warp.context().slot = warp;
    slot.warp.context().global = &port_;
    block.warps[n] = static_cast<std::uint8_t>(warp);
    ages_[warp] = warps_placed_++;
    schedulers_[scheduler_of(warp)].policy().started(warp);
    for_each_path(warp, [&](PathId id) {
      frontend_.start(id, program);
      resume(id, paths[path_of(id)], restored, now);
    });
    // Units here know nothing of lanes that waited for those elsewhere.
    if (const LaneMask lanes = slot.warp.parked_lanes(); lanes != 0)
      wake_lanes(warp, lanes, restored, now);
  }
  block.since = now + 1;
  if (counts_blocks_) [[unlikely]]
    begin_counts(block);
  rouse(events_.next_after(now));
  if (observer_ != nullptr) {
    observer_->block_started(block.grid->record, context.index, index_, context.slot, now + 1);
  }
  return block;
}

/// A path goes on, at `restored` at the earliest, from the state in which its warp left.
void Sm::resume(PathId id, const PathSlot& before, Cycle restored, Cycle now) {
  const Cycle until = slot_of(id).warp.context().waits_until;
  path_slot(id).last_issued = before.last_issued;
  if (before.state != State::runtime) {
    enter(id, before.state);
  } else if (until == kNever) {
    wait_endlessly(id);
  } else {
    wait_until(id, State::runtime, std::max(until, restored), now);
  }
}

}  // namespace raddle::machine
