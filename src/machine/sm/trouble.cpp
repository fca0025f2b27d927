// What goes wrong on an SM, and who waits for what.
#include <fmt/format.h>

#include "machine/sm/sm.h"

namespace raddle::machine {

void Sm::fault(unsigned warp, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  isa::WarpContext& context = slot.warp.context();
  const isa::BlockContext& block = slot.block->context;
  SmFault& fault = faults_.emplace_back();
  fault.fault = context.fault;
  fault.grid = slot.block->grid->id;
  fault.site = {slot.program,       slot.block->grid->record.kernel,
                slot.warp.pc(),     block.index,
                block.grid->block,  context.warp_in_block * kWarpSize + context.fault.lane,
                block.shared_bytes, block.local_bytes_per_thread};
  if (!keep_going_) return enter(warp, State::ended);
  context.access.lanes = 0;
  after_step(warp, slot.warp.skip_faulting(), 0, now);
}

void Sm::describe_waiting(std::string& text, unsigned& lines, unsigned most) const {
  for (const auto& slot : slots_) {
    const bool waits =
        slot->state != State::vacant && slot->state != State::ending && slot->state != State::ended;
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
    const bool over =
        slot->state == State::vacant || slot->state == State::ending || slot->state == State::ended;
    if (over) continue;
    const char* doing = slot->state == State::memory    ? " wait for memory"
                        : slot->state == State::fence   ? " wait at a fence"
                        : slot->state == State::runtime ? " wait for the device runtime"
                        : slot->state == State::asleep  ? " sleep"
                                                        : " run";
    all.add(*slot->block->grid, slot->block->context.index, slot->warp.context().warp_in_block,
            slot->warp.why_waiting(doing));
  }
}

}  // namespace raddle::machine
