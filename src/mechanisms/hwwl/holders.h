// The lanes that hold a work id. A lane holds a work id from its pull until it pulls again or
// exits. As long as one lane holds a work id, a single-buffered worklist has not ended, and another
// pull from the lane's bank will come.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "isa/block_context.h"
#include "isa/warp_context.h"
#include "machine/warp_slots.h"

namespace raddle::mechanisms::hwwl {

/// Lanes of a warp that moves from one multiprocessor to another.
struct HoldersAway {
  std::uint64_t grid = 0;
  Dim3 block;
  std::uint32_t warp = 0;
  LaneMask lanes = 0;

  bool are_of(const isa::WarpContext& context) const {
    const Dim3& index = context.block->index;
    return grid == context.block->grid->id && block.x == index.x && block.y == index.y &&
           block.z == index.z && warp == context.warp_in_block;
  }
};

/// The lanes of one multiprocessor that hold work ids.
class Holders {
 public:
  /// The number of lanes.
  unsigned lanes() const { return count_; }
  /// Whether a lane of this number holds a work id in any warp.
  bool any(unsigned lane) const { return warps_with_[lane] != 0; }
  /// Whether the warp has been seen since it arrived here.
  bool knows(const isa::WarpContext& warp) const { return warps_[warp.slot].block == warp.block; }
  void add(const isa::WarpContext& warp, LaneMask lanes) {
    Warp& of = meet(warp);
    count(lanes & ~of.lanes, 1);
    of.lanes |= lanes;
  }
  void remove(const isa::WarpContext& warp, LaneMask lanes) {
    Warp& of = meet(warp);
    count(lanes & of.lanes, ~0u);
    of.lanes &= ~lanes;
  }
  /// Removes the warp, which leaves the multiprocessor.
  HoldersAway take(unsigned slot) {
    Warp& of = warps_[slot];
    HoldersAway away;
    if (of.block != nullptr && of.lanes != 0) {
      away = {of.block->grid->id, of.block->index, of.warp, of.lanes};
      count(of.lanes, ~0u);
    }
    of = {};
    return away;
  }
  void block_ended(const isa::BlockContext& block) {
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
      if (warps_[slot].block == &block) take(slot);
    }
  }

 private:
  struct Warp {
    const isa::BlockContext* block = nullptr;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
  };
  Warp& meet(const isa::WarpContext& warp) {
    Warp& of = warps_[warp.slot];
    if (of.block != warp.block) of = {warp.block, warp.warp_in_block, 0};
    return of;
  }

  /// Counts each of the lanes once more (1) or once less (~0).
  void count(LaneMask lanes, unsigned change) {
    for (; lanes != 0; lanes &= lanes - 1) {
      warps_with_[static_cast<unsigned>(std::countr_zero(lanes))] += change;
      count_ += change;
    }
  }

  std::vector<Warp> warps_ = std::vector<Warp>(machine::kMaxWarps);
  std::array<unsigned, kWarpSize> warps_with_{};
  unsigned count_ = 0;
};

}  // namespace raddle::mechanisms::hwwl
