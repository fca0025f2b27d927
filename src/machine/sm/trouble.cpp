// What goes wrong on an SM, and who waits for what.
#include <fmt/format.h>

#include <algorithm>

#include "machine/sm/sm.h"

namespace raddle::machine {

SmFault Sm::fault_of(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code) const {
  const isa::WarpContext& context = slot.warp.context();
  const isa::BlockContext& block = slot.block->context;
  return {fault,
          slot.block->grid->id,
          {slot.program, slot.block->grid->record.kernel, code, block.index, block.grid->block,
           context.warp_in_block * kWarpSize + fault.lane, block.shared_bytes,
           block.local_bytes_per_thread, context.local_end}};
}

void Sm::add_fault(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code) {
  faults_.push_back(fault_of(slot, fault, code));
}

/// Of library functions, which do their work at the end of the cycle.
void Sm::take_late_faults() {
  for (const isa::LateFault& late : port_.late_faults()) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const auto& one) {
      return &one->warp.context() == late.warp;
    });
    const auto code = static_cast<std::uint32_t>(late.instruction - (*slot)->program->code.data());
    add_fault(**slot, late.fault, code);
  }
  port_.late_faults().clear();
}

void Sm::fault(PathId id, Cycle now) {
  WarpSlot& slot = slot_of(id);
  isa::WarpContext& context = slot.warp.context();
  add_fault(slot, context.fault, slot.warp.pc(path_of(id)));
  if (!keep_going_) return enter_whole(warp_of(id), State::ended);
  context.access.lanes = 0;
  after_step(id, slot.warp.skip_faulting(path_of(id)), 0, now);
}

void Sm::describe_waiting(std::string& text, unsigned& lines, unsigned most) const {
  for (const auto& slot : slots_) {
    const bool waits = slot->state() != State::vacant && slot->state() != State::ending &&
                       slot->state() != State::ended;
    if (!waits || lines > most) continue;
    if (lines++ == most) {
      text += "\n  ...";
      continue;
    }
    text += fmt::format("\n  block {}, warp {}: {}", index_text(slot->block->context.index),
                        slot->warp.context().warp_in_block, slot->warp.why_waiting());
  }
}

void Sm::add_to(Whereabouts& all) const {
  for (const auto& slot : slots_) {
    const bool over = slot->state() == State::vacant || slot->state() == State::ending ||
                      slot->state() == State::ended;
    if (over) continue;
    const char* doing = slot->state() == State::memory    ? " wait for memory"
                        : slot->state() == State::fence   ? " wait at a fence"
                        : slot->state() == State::runtime ? " wait for the device runtime"
                        : slot->state() == State::parked  ? " wait for a unit"
                        : slot->state() == State::asleep  ? " sleep"
                        : slot->state() == State::preempted
                            ? " could go on, but their block leaves or is being restored"
                            : " run";
    all.add(*slot->block->grid, slot->block->context.index, slot->warp.context().warp_in_block,
            slot->warp.why_waiting(doing));
  }
}

}  // namespace raddle::machine
