#include "machine/placement/placement.h"

#include "machine/sm/sm.h"

namespace raddle::machine {

bool SmView::has_room(const BlockNeeds& needs) const { return sm_->has_room(needs); }
const BlockNeeds& SmView::room() const { return sm_->room(); }
unsigned SmView::free_blocks() const { return sm_->free_blocks(); }
unsigned SmView::resident_blocks() const {
  return static_cast<unsigned>(sm_->blocks().size()) - sm_->free_blocks();
}
const SmStats& SmView::statistics() const { return sm_->statistics(); }

unsigned SmView::blocks_of(const Grid& grid) const {
  unsigned count = 0;
  for (const auto& block : sm_->blocks()) count += block->grid == &grid;
  return count;
}

std::vector<PlacedBlock> SmView::blocks() const {
  std::vector<PlacedBlock> all;
  for (const auto& block : sm_->blocks()) {
    if (block->grid == nullptr) continue;
    sm_->gather_counts(*block);
    all.push_back(placed(*block));
  }
  return all;
}

std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first) {
  const auto count = static_cast<unsigned>(sms.size());
  for (unsigned n = 0, at = first % count; n < count; ++n, at = at + 1 == count ? 0 : at + 1) {
    if (sms[at].has_room(needs)) return at;
  }
  return {};
}

PlacedBlock placed(const ResidentBlock& block) {
  return {block.grid,  &block.context,          block.context.sm,          block.context.slot,
          block.since, block.warp_instructions, block.thread_instructions, &block.counts};
}

}  // namespace raddle::machine
