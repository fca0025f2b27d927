#include "machine/sm/residency.h"

#include <algorithm>
#include <bit>

#include "machine/chip_config.h"
#include "machine/dispatch/config.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

void zeroed(std::vector<std::byte>& storage, std::size_t bytes) {
  storage.resize(std::max(storage.size(), bytes));
  std::fill_n(storage.begin(), bytes, std::byte{0});
}

}  // namespace

Residency::Residency(const Parts& parts, const GpuConfig& config, unsigned sm)
    : p_(parts),
      sm_(sm),
      block_latency_(config.dispatch.block_latency),
      schedulers_(config.scheduler.count),
      rotate_(config.scheduler.rotate),
      ns_per_cycle_(1000.0 / config.gpu.core_mhz),
      all_{config.sm.threads, config.sm.warps, config.sm.registers, config.sm.shared_bytes},
      free_(all_),
      free_blocks_(config.sm.blocks),
      retired_(parts.stats.warp_instructions) {
  for (unsigned block = 0; block < config.sm.blocks; ++block) {
    blocks_.push_back(std::make_unique<ResidentBlock>());
  }
}

bool Residency::has_room(const BlockNeeds& needs) const {
  return free_blocks_ != 0 && needs.threads <= free_.threads && needs.warps <= free_.warps &&
         needs.registers <= free_.registers && needs.shared_bytes <= free_.shared_bytes;
}

unsigned Residency::vacant_block() const {
  const auto vacant = std::find_if(blocks_.begin(), blocks_.end(),
                                   [](const auto& block) { return block->grid == nullptr; });
  return static_cast<unsigned>(vacant - blocks_.begin());
}

unsigned Residency::vacant_warp() const {
  return static_cast<unsigned>(std::countr_zero(p_.warps.in(PathState::vacant)));
}

unsigned Residency::vacant_warp_of(unsigned scheduler) const {
  const WarpMask vacant = p_.warps.in(PathState::vacant);
  WarpMask own = 0;
  for (unsigned warp = scheduler; warp < kMaxWarps; warp += schedulers_) own |= warp_bit(warp);
  own &= vacant;
  return own != 0 ? static_cast<unsigned>(std::countr_zero(own)) : vacant_warp();
}

void Residency::take_resources(ResidentBlock& block, Cycle now) {
  const BlockNeeds& needs = block.needs;
  free_.threads -= needs.threads;
  free_.warps -= needs.warps;
  free_.registers -= needs.registers;
  free_.shared_bytes -= needs.shared_bytes;
  --free_blocks_;
  p_.warps.resident += needs.warps;
  p_.stats.resident_warps_peak.set(p_.warps.resident);
  block.since = now + 1;
}

void Residency::give_resources(ResidentBlock& block, Cycle now) {
  const BlockNeeds& needs = block.needs;
  free_.threads += needs.threads;
  free_.warps += needs.warps;
  free_.registers += needs.registers;
  free_.shared_bytes += needs.shared_bytes;
  ++free_blocks_;
  p_.warps.resident -= needs.warps;
  p_.stats.resident_warps_peak.set(p_.warps.resident);
  if (observer_ != nullptr) {
    observer_->block_ended(sm_, block.context.slot, block.warp_instructions, now + 1);
  }
}

ResidentBlock& Residency::place(Grid& grid, const isa::GridContext& context, const Dim3& index,
                                Cycle now) {
  p_.accounts.account_until(now + 1);
  const unsigned slot = vacant_block();
  ResidentBlock& block = *blocks_[slot];
  block.grid = &grid;
  block.needs = grid.needs;
  block.running = grid.needs.warps;
  block.warp_instructions = block.thread_instructions = 0;
  take_resources(block, now);
  // A new grid may see values that others have written since this SM's caches read them.
  if (grid.id > newest_grid_) {
    p_.memory.invalidate();
    p_.memory.reserve_shared(shared_wanted(block.needs));
  }
  newest_grid_ = std::max(newest_grid_, grid.id);
  fill_context(block, context, index, slot);
  start_warps(block, now);
  if (p_.charges.active()) [[unlikely]]
    p_.charges.begin_counts(block);
  if (observer_ != nullptr) observer_->block_started(grid.record, index, sm_, slot, now + 1);
  return block;
}

/// Shared memory in use when the SM holds as many blocks as the other resources allow.
std::uint32_t Residency::shared_wanted(const BlockNeeds& needs) const {
  std::size_t fit = std::min<std::size_t>(all_.threads / needs.threads, all_.warps / needs.warps);
  fit = std::min(fit, blocks_.size());
  if (needs.registers != 0) fit = std::min<std::size_t>(fit, all_.registers / needs.registers);
  const std::uint32_t taken = all_.shared_bytes - free_.shared_bytes;
  const auto wanted =
      static_cast<std::uint32_t>(std::max<std::size_t>(fit, 1) * needs.shared_bytes);
  return std::min(all_.shared_bytes, std::max(taken, wanted));
}

void Residency::fill_context(ResidentBlock& block, const isa::GridContext& of, const Dim3& index,
                             std::uint32_t slot) {
  const Grid& grid = *block.grid;
  isa::BlockContext& context = block.context;
  context = {};
  context.grid = &of;
  context.index = index;
  context.slot = slot;
  context.sm = sm_;
  context.threads = block.needs.threads;
  context.shared_begin = grid.kernel->shared_begin;
  context.shared_bytes = grid.kernel->shared_bytes(grid.context.dynamic_shared_bytes);
  context.local_bytes_per_thread = grid.local_bytes_per_thread;
  zeroed(block.shared, context.shared_bytes);
  zeroed(block.local, std::size_t{context.local_bytes_per_thread} * block.needs.warps * kWarpSize);
  context.shared = block.shared.data();
  context.local = block.local.data();
}

void Residency::start_warps(ResidentBlock& block, Cycle now) {
  const Grid& grid = *block.grid;
  block.warps.clear();
  block.barriers.start(block.needs.threads, p_.scheme.whole_warps_at_barriers);
  for (std::uint32_t n = 0; n < block.needs.warps; ++n) {
    const unsigned warp = rotate_ ? vacant_warp_of((turn_ + n) % schedulers_) : vacant_warp();
    WarpSlot& slot = p_.warps[warp];
    slot.block = &block;
    slot.program = grid.program;
    block.warps.push_back(static_cast<std::uint8_t>(warp));
    slot.warp.start(*grid.program, *grid.kernel, block.context, n,
                    p_.global.of(block.context.grid->client), p_.scheme, block.barriers,
                    &p_.lane_host);
    slot.warp.take_changed_paths();
    slot.warp.context().ns_per_cycle = ns_per_cycle_;
    occupy(warp, *grid.program);
    p_.warps.for_each_path(warp,
                           [&](PathId id) { p_.warps.set_last_issued(id, grid.kernel->first); });
    p_.progress.start_warp(warp, now + block_latency_, now);
  }
  turn_ = (turn_ + 1) % schedulers_;
  p_.clock.rouse(p_.events.next_after(now));
}

void Residency::occupy(unsigned warp, const isa::Program& program) {
  WarpSlot& slot = p_.warps[warp];
  slot.counts = p_.charges.counts(program);
  slot.warp.context().slot = warp;
  slot.warp.set_host(p_.lane_host);
  p_.warps.set_placed(warp, slot.block->context.slot);
  p_.schedulers.started(warp);
  p_.warps.for_each_path(warp, [&](PathId id) { p_.frontend.start(id, program); });
}

void Residency::vacate(unsigned warp) {
  p_.warps.enter_whole(warp, PathState::vacant);
  p_.schedulers.ended(warp);
}

void Residency::retire_ended(Cycle now, const BlockEnded& ended) {
  p_.accounts.account_until(now + 1);
  for (const auto& block : blocks_) {
    if (block->grid != nullptr && block->running == 0) retire(*block, ended, now);
  }
  if (p_.memory.stores_left().take_some_came()) release_stored();
}

/// Grids whose stores have all arrived need not wait for them any more.
void Residency::release_stored() {
  std::erase_if(storing_, [&](Grid* grid) {
    const bool stored = !p_.memory.stores_left().any_of(grid->id);
    grid->storing -= stored;
    return stored;
  });
}

/// Counts the instructions that the block has executed here.
void Residency::settle(ResidentBlock& block) {
  block.tell_grid();
  retired_ += block.warp_instructions;
}

void Residency::retire(ResidentBlock& block, const BlockEnded& ended, Cycle now) {
  for (const std::uint8_t warp : block.warps) vacate(warp);
  settle(block);
  ++block.grid->ended_blocks;
  const bool noted = std::find(storing_.begin(), storing_.end(), block.grid) != storing_.end();
  if (!noted && p_.memory.stores_left().any_of(block.grid->id)) {
    storing_.push_back(block.grid);
    ++block.grid->storing;
  }
  if (ended) ended(block);
  p_.attached.block_ended(block.context, now);
  block.grid = nullptr;
  block.considered = false;
  block.departures = 0;
  block.place = {};
  give_resources(block, now);
  ++p_.stats.blocks;
}

void Residency::abandon() {
  for (const auto& block : blocks_) {
    if (block->grid != nullptr) block->tell_grid();
  }
}

std::unique_ptr<ResidentBlock> Residency::leave(ResidentBlock& block, Cycle now) {
  settle(block);
  give_resources(block, now);
  block.warp_instructions = block.thread_instructions = 0;
  const std::uint32_t slot = block.context.slot;
  block.context.sm = isa::BlockContext::kNowhere;
  return std::exchange(blocks_[slot], std::make_unique<ResidentBlock>());
}

ResidentBlock& Residency::come(std::unique_ptr<ResidentBlock> arriving, Cycle now) {
  const unsigned slot = vacant_block();
  blocks_[slot] = std::move(arriving);
  ResidentBlock& block = *blocks_[slot];
  take_resources(block, now);
  p_.memory.invalidate();  // its warps may have written elsewhere, and others too
  p_.memory.reserve_shared(shared_wanted(block.needs));
  block.context.slot = slot;
  block.context.sm = sm_;
  if (observer_ != nullptr) {
    observer_->block_started(block.grid->record, block.context.index, sm_, slot, now + 1);
  }
  return block;
}

}  // namespace raddle::machine
