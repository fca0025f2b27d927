// What the SM tells a profile, and those who sample its blocks.
#include <algorithm>
#include <bit>

#include "machine/sm/sm.h"

namespace raddle::machine {

void Sm::count_blocks() {
  counts_blocks_ = charges_ = true;
  memory_.count_lookups();
}

void Sm::begin_counts(ResidentBlock& block) {
  gather_counts(block);  // what its warps' slots did before
  block.counts = {};
}

void Sm::gather_counts(ResidentBlock& block) {
  if (!counts_blocks_) return;
  for (const std::uint8_t warp : block.warps) {
    const auto [hits, misses] = memory_.take_lookups(warp);
    block.counts.l1_hits += hits;
    block.counts.l1_misses += misses;
  }
}

/// The cycle in which a scheduler issues from this warp goes to the (first) instruction it issues.
void Sm::charge_issue(WarpSlot& slot, unsigned path) {
  if (profile_ == nullptr) return;
  const std::uint32_t pc = slot.warp.pc(path);
  ++slot.counts[pc].slots[static_cast<std::size_t>(Slot::issued)];
  slot.paths[path].last_issued = pc;
}

void Sm::charge_step(WarpSlot& slot, unsigned path, const Step& step) {
  if (step.instruction == nullptr) return;
  if (counts_blocks_) {
    const auto klass = static_cast<std::size_t>(step.instruction->klass);
    ++slot.block->counts.issued[std::min(klass, BlockCounts::kOwnClasses)];
  }
  if (profile_ == nullptr) return;
  const auto code = static_cast<std::uint32_t>(step.instruction - slot.program->code.data());
  slot.paths[path].last_issued = code;
  CodeCounts& counts = slot.counts[code];
  ++counts.warp_instructions;
  counts.thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
}

void Sm::charge_access(WarpSlot& slot, std::uint32_t code, LoadStore::Cost cost) {
  if (counts_blocks_) {
    ++slot.block->counts.accesses;
    slot.block->counts.transactions += cost.transactions;
  }
  if (profile_ == nullptr) return;
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
    if (counts_blocks_) {
      BlockCounts& counts = held.block->counts;
      counts.stalls[static_cast<std::size_t>(reason)] += cycles;
      if (reason == Slot::unit_busy && !memory_.can_issue()) counts.load_store_full += cycles;
    }
    if (profile_ == nullptr) return;
    unsigned path = 0;
    while (held.paths[path].state != state) ++path;
    const bool by_last = reason == Slot::barrier || reason == Slot::fence ||
                         reason == Slot::runtime || reason == Slot::unit ||
                         reason == Slot::asleep || reason == Slot::preempted;
    const std::uint32_t code = by_last ? held.paths[path].last_issued : held.warp.pc(path);
    held.counts[code].slots[static_cast<std::size_t>(reason)] += cycles;
    return;
  }
}

}  // namespace raddle::machine
