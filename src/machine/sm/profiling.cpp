// What the SM tells a profile.
#include <bit>

#include "machine/sm/sm.h"

namespace raddle::machine {

/// The cycle in which a scheduler issues from this warp goes to the (first) instruction it issues.
void Sm::charge_issue(WarpSlot& slot, unsigned path) {
  const std::uint32_t pc = slot.warp.pc(path);
  ++slot.counts[pc].slots[static_cast<std::size_t>(Slot::issued)];
  slot.paths[path].last_issued = pc;
}

void Sm::charge_step(WarpSlot& slot, unsigned path, const Step& step) {
  if (step.instruction == nullptr) return;
  const auto code = static_cast<std::uint32_t>(step.instruction - slot.program->code.data());
  slot.paths[path].last_issued = code;
  CodeCounts& counts = slot.counts[code];
  ++counts.warp_instructions;
  counts.thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
}

void Sm::charge_access(WarpSlot& slot, std::uint32_t code, LoadStore::Cost cost) {
  CodeCounts& counts = slot.counts[code];
  counts.requests += cost.transactions != 0;
  counts.transactions += cost.transactions;
  counts.shared_requests += cost.passes != 0;
  counts.shared_passes += cost.passes;
}

/// A scheduler's stalled cycles go to the oldest of the warps for which the reason holds: to the
/// instruction that it would issue next, or, when it is that instruction's predecessor that keeps
/// it (a barrier, a fence, a sleep), to that one.
void Sm::charge_stall(Slot reason, WarpMask owned, Cycle cycles) {
  for (const auto& [state, slot] : kStallOrder) {
    WarpMask waiting = slot == reason ? in(state)&owned : 0;
    if (waiting == 0) continue;
    auto oldest = static_cast<unsigned>(std::countr_zero(waiting));
    for (waiting &= waiting - 1; waiting != 0; waiting &= waiting - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(waiting));
      if (ages_[warp] < ages_[oldest]) oldest = warp;
    }
    const WarpSlot& held = *slots_[oldest];
    unsigned path = 0;
    while (held.paths[path].state != state) ++path;
    const bool by_last = reason == Slot::barrier || reason == Slot::fence ||
                         reason == Slot::runtime || reason == Slot::asleep ||
                         reason == Slot::preempted;
    const std::uint32_t code = by_last ? held.paths[path].last_issued : held.warp.pc(path);
    held.counts[code].slots[static_cast<std::size_t>(reason)] += cycles;
    return;
  }
}

}  // namespace raddle::machine
