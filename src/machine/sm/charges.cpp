#include "machine/sm/charges.h"

#include <algorithm>
#include <bit>

namespace raddle::machine {
namespace {

/// Whether it counts in BlockCounts::visible. `access`: its access, if it accesses memory.
bool may_be_seen(const isa::Instruction& instruction, const isa::MemoryAccess& access) {
  using Access = isa::MemoryAccess;
  switch (instruction.kind) {
    case isa::Kind::memory:
      return access.type != Access::Type::load && access.type != Access::Type::prefetch &&
             access.space != Access::Space::shared && access.space != Access::Space::local;
    case isa::Kind::compute:
    case isa::Kind::branch:
    case isa::Kind::call:
    case isa::Kind::ret:
    case isa::Kind::exit:
    case isa::Kind::barrier:
    case isa::Kind::warp_sync:
      return false;
    case isa::Kind::builtin:
    case isa::Kind::other:
    case isa::Kind::unit:
      return true;
  }
  return true;
}

}  // namespace

void Charges::count_blocks() {
  counts_blocks_ = active_ = true;
  memory_.count_lookups();
}

void Charges::begin_counts(ResidentBlock& block) {
  gather_counts(block);  // removes earlier counts of its warps' slots
  block.counts = {};
}

void Charges::gather_counts(ResidentBlock& block) {
  if (!counts_blocks_) return;
  for (const std::uint8_t warp : block.warps) {
    const auto [hits, misses] = memory_.take_lookups(warp);
    block.counts.l1_hits += hits;
    block.counts.l1_misses += misses;
  }
}

void Charges::issue(PathId id) {
  if (profile_ == nullptr) return;
  const WarpSlot& slot = warps_.of(id);
  const std::uint32_t pc = slot.warp.pc(path_of(id));
  ++slot.counts[pc].slots[static_cast<std::size_t>(Slot::issued)];
  warps_.set_last_issued(id, pc);
}

void Charges::step(PathId id, const Step& step) {
  if (step.instruction == nullptr) return;
  const WarpSlot& slot = warps_.of(id);
  if (counts_blocks_) {
    const auto klass = static_cast<std::size_t>(step.instruction->klass);
    BlockCounts& counts = slot.block->counts;
    ++counts.issued[std::min(klass, BlockCounts::kOwnClasses)];
    counts.visible += step.lanes != 0 && may_be_seen(*step.instruction, slot.warp.context().access);
  }
  if (profile_ == nullptr) return;
  const auto code = static_cast<std::uint32_t>(step.instruction - slot.program->code.data());
  warps_.set_last_issued(id, code);
  CodeCounts& counts = slot.counts[code];
  ++counts.warp_instructions;
  counts.thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
}

void Charges::access(PathId id, std::uint32_t code, LoadStore::Cost cost) {
  const WarpSlot& slot = warps_.of(id);
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

/// Charges a scheduler's stalled cycles to the oldest warp with this stall reason: to its next
/// instruction, or, if the previous instruction keeps the warp (a barrier, a fence, a sleep), to
/// that one.
void Charges::stall(Slot reason, PathState state, WarpMask owned, Cycle cycles) {
  const unsigned oldest = oldest_of(warps_.in(state)&owned, warps_.ages());
  const WarpSlot& held = warps_[oldest];
  if (counts_blocks_) {
    BlockCounts& counts = held.block->counts;
    counts.stalls[static_cast<std::size_t>(reason)] += cycles;
    if (reason == Slot::unit_busy && !memory_.can_issue()) counts.load_store_full += cycles;
  }
  if (profile_ == nullptr) return;
  unsigned path = 0;
  while (warps_.state(path_id(oldest, path)) != state) ++path;
  const bool by_last = reason == Slot::barrier || reason == Slot::fence ||
                       reason == Slot::runtime || reason == Slot::unit || reason == Slot::asleep ||
                       reason == Slot::preempted;
  const std::uint32_t code =
      by_last ? warps_.last_issued(path_id(oldest, path)) : held.warp.pc(path);
  held.counts[code].slots[static_cast<std::size_t>(reason)] += cycles;
}

}  // namespace raddle::machine
