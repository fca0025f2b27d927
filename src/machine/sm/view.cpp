#include "machine/sm_view.h"

#include "machine/sm/sm.h"

namespace raddle::machine {

std::uint64_t PlacedBlock::number() const {
  const Dim3 &at = context->index, &size = context->grid->grid;
  return at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z);
}

unsigned SmView::number() const { return sm_->index(); }
bool SmView::has_room(const BlockNeeds& needs) const { return !closed_ && sm_->has_room(needs); }
const BlockNeeds& SmView::room() const { return sm_->room(); }
unsigned SmView::free_blocks() const { return sm_->free_blocks(); }
unsigned SmView::resident_blocks() const { return places() - sm_->free_blocks(); }
const SmStats& SmView::statistics() const { return sm_->statistics(); }
void SmView::count_until(Cycle end) const { sm_->account_until(end); }

unsigned SmView::blocks_of(const Grid& grid) const {
  unsigned count = 0;
  for (const auto& block : sm_->blocks()) count += block->grid == &grid;
  return count;
}

unsigned SmView::places() const { return static_cast<unsigned>(sm_->blocks().size()); }

PlacedBlock SmView::at(unsigned slot) const {
  ResidentBlock& block = *sm_->blocks()[slot];
  if (block.grid == nullptr) return {};
  sm_->gather_counts(block);
  return placed(block);
}

std::vector<PlacedBlock> SmView::blocks() const {
  std::vector<PlacedBlock> all;
  for_each_block([&](const PlacedBlock& block) { all.push_back(block); });
  return all;
}

PlacedBlock placed(const ResidentBlock& block) {
  return {.grid = block.grid,
          .context = &block.context,
          .sm = block.context.sm,
          .slot = block.context.slot,
          .since = block.since,
          .warp_instructions = block.warp_instructions,
          .thread_instructions = block.thread_instructions,
          .counts = &block.counts,
          .leaving = block.leaving(),
          .restoring = block.presence == ResidentBlock::Presence::restoring};
}

}  // namespace raddle::machine
