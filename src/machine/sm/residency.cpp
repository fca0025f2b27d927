// Blocks coming to the SM and leaving it.
#include <algorithm>
#include <bit>

#include "machine/fault.h"
#include "machine/sm/sm.h"

namespace raddle::machine {
namespace {

void zeroed(std::vector<std::byte>& storage, std::size_t bytes) {
  storage.resize(std::max(storage.size(), bytes));
  std::fill_n(storage.begin(), bytes, std::byte{0});
}

}  // namespace

bool Sm::has_room(const BlockNeeds& needs) const {
  return free_blocks_ != 0 && needs.threads <= free_.threads && needs.warps <= free_.warps &&
         needs.registers <= free_.registers && needs.shared_bytes <= free_.shared_bytes;
}

const ResidentBlock& Sm::place(Grid& grid, const isa::GridContext& context, const Dim3& index,
                               Cycle now) {
  account_until(now + 1);
  const auto vacant = std::find_if(blocks_.begin(), blocks_.end(),
                                   [](const auto& block) { return block->grid == nullptr; });
  ResidentBlock& block = **vacant;
  block.grid = &grid;
  block.needs = grid.needs;
  block.running = grid.needs.warps;
  block.warp_instructions = block.thread_instructions = 0;
  block.since = now + 1;
  take_resources(block.needs);
  // A new grid may see what others have written since this SM's caches read it.
  if (grid.id > newest_grid_) {
    memory_.invalidate();
    memory_.reserve_shared(shared_wanted(block.needs));
  }
  newest_grid_ = std::max(newest_grid_, grid.id);
  fill_context(block, context, index, static_cast<std::uint32_t>(vacant - blocks_.begin()));
  start_warps(block, now);
  if (counts_blocks_) [[unlikely]]
    begin_counts(block);
  if (observer_ != nullptr) {
    observer_->block_started(grid.record, index, index_, block.context.slot, now + 1);
  }
  return block;
}

void Sm::take_resources(const BlockNeeds& needs) {
  free_.threads -= needs.threads;
  free_.warps -= needs.warps;
  free_.registers -= needs.registers;
  free_.shared_bytes -= needs.shared_bytes;
  --free_blocks_;
  resident_ += needs.warps;
  stats_.resident_warps_peak.set(resident_);
}

void Sm::give_resources(const BlockNeeds& needs) {
  free_.threads += needs.threads;
  free_.warps += needs.warps;
  free_.registers += needs.registers;
  free_.shared_bytes += needs.shared_bytes;
  ++free_blocks_;
  resident_ -= needs.warps;
  stats_.resident_warps_peak.set(resident_);
}

/// Shared memory that this SM comes to hold with as many blocks as these needs else allow.
std::uint32_t Sm::shared_wanted(const BlockNeeds& needs) const {
  std::size_t fit = std::min<std::size_t>(all_.threads / needs.threads, all_.warps / needs.warps);
  fit = std::min(fit, blocks_.size());
  if (needs.registers != 0) fit = std::min<std::size_t>(fit, all_.registers / needs.registers);
  const std::uint32_t taken = all_.shared_bytes - free_.shared_bytes;
  const auto wanted =
      static_cast<std::uint32_t>(std::max<std::size_t>(fit, 1) * needs.shared_bytes);
  return std::min(all_.shared_bytes, std::max(taken, wanted));
}

void Sm::fill_context(ResidentBlock& block, const isa::GridContext& of, const Dim3& index,
                      std::uint32_t slot) {
  const Grid& grid = *block.grid;
  isa::BlockContext& context = block.context;
  context = {};
  context.grid = &of;
  context.index = index;
  context.slot = slot;
  context.sm = index_;
  context.threads = block.needs.threads;
  context.shared_bytes = grid.kernel->shared_bytes(grid.context.dynamic_shared_bytes);
  context.local_bytes_per_thread = grid.local_bytes_per_thread;
  zeroed(block.shared, context.shared_bytes);
  zeroed(block.local, std::size_t{context.local_bytes_per_thread} * block.needs.warps * kWarpSize);
  context.shared = block.shared.data();
  context.local = block.local.data();
}

void Sm::start_warps(ResidentBlock& block, Cycle now) {
  const Grid& grid = *block.grid;
  CodeCounts* counts = profile_ == nullptr ? nullptr : profile_->counts(index_, *grid.program);
  block.warps.clear();
  block.barriers.start(block.needs.threads, scheme_.whole_warps_at_barriers);
  for (std::uint32_t n = 0; n < block.needs.warps; ++n) {
    const auto warp = static_cast<unsigned>(std::countr_zero(in(State::vacant)));
    WarpSlot& slot = *slots_[warp];
    slot.block = &block;
    slot.program = grid.program;
    slot.counts = counts;
    for (PathSlot& path : slot.paths) path.last_issued = grid.kernel->first;
    block.warps.push_back(static_cast<std::uint8_t>(warp));
    ages_[warp] = warps_placed_++;
    slot.warp.start(*grid.program, *grid.kernel, block.context, n, port_, scheme_, block.barriers);
    for_each_path(warp, [&](PathId id) { frontend_.start(id, *grid.program); });
    slot.warp.take_changed_paths();
    schedulers_[scheduler_of(warp)].policy().started(warp);
    slot.warp.context().slot = warp;
    slot.warp.context().ns_per_cycle = ns_per_cycle_;
    wait_until(path_id(warp, 0), State::fetch, now + block_latency_, now);
  }
  rouse(events_.next_after(now));
}

bool Sm::retire_blocks(Cycle now, const BlockEnded& ended) {
  if (blocks_to_retire_ == 0) return false;
  account_until(now + 1);
  for (const auto& block : blocks_) {
    if (block->grid != nullptr && block->running == 0) retire(*block, ended, now);
  }
  blocks_to_retire_ = 0;
  return true;
}

void Sm::abandon_blocks() {
  for (const auto& block : blocks_) {
    if (block->grid != nullptr) block->tell_grid();
  }
}

void Sm::retire(ResidentBlock& block, const BlockEnded& ended, Cycle now) {
  for (const std::uint8_t warp : block.warps) {
    enter_whole(warp, State::vacant);
    schedulers_[scheduler_of(warp)].policy().ended(warp);
  }
  block.tell_grid();
  retired_ += block.warp_instructions;
  ++block.grid->ended_blocks;
  if (ended) ended(block);
  tell_units_of_end(block.context, now);
  block.grid = nullptr;
  block.considered = false;
  block.departures = 0;
  block.place = {};
  give_resources(block.needs);
  ++stats_.blocks;
  if (observer_ != nullptr) {
    observer_->block_ended(index_, block.context.slot, block.warp_instructions, now + 1);
  }
}

}  // namespace raddle::machine
