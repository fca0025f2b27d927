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
    if (slot.state == State::runtime && !woken) {
      waits = true;
    } else if (slot.state != State::barrier && slot.state != State::ended) {
      return false;
    }
    if (memory_.outstanding(warp) != 0 || !scoreboard_.empty(warp)) return false;
  }
  return waits;
}

std::unique_ptr<Sm::Swapped> Sm::swap_out(ResidentBlock& block, Cycle now) {
  account_until(now + 1);
  auto swapped = std::make_unique<Swapped>();
  for (const std::uint8_t warp : block.warps) {
    const State state = slots_[warp]->state;
    if (state == State::runtime) --endless_waits_;
    enter(warp, State::vacant);
    slots_[warp]->state = state;  // in which it comes back
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

void Sm::swap_in(std::unique_ptr<Swapped> swapped, Cycle restored, Cycle now) {
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
    const State state = std::exchange(swapped->warps[n]->state, State::vacant);
    slots_[warp] = std::move(swapped->warps[n]);
    WarpSlot& slot = *slots_[warp];
    slot.counts = profile_ == nullptr ? nullptr : profile_->counts(index_, program);
    slot.warp.context().slot = warp;
    slot.warp.context().global = &port_;
    block.warps[n] = static_cast<std::uint8_t>(warp);
    ages_[warp] = warps_placed_++;
    frontend_.start(warp, program);
    const Cycle until = slot.warp.context().waits_until;
    if (state != State::runtime) {
      enter(warp, state);
    } else if (until == kNever) {
      wait_endlessly(warp);
    } else {
      wait_until(warp, State::runtime, std::max(until, restored), now);
    }
  }
  rouse(events_.next_after(now));
  if (observer_ != nullptr) {
    observer_->block_started(block.grid->record, context.index, index_, context.slot, now + 1);
  }
}

}  // namespace raddle::machine
