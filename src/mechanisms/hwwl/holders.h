// Which lanes hold a work id: those that have pulled one, until they pull again or exit. As long as
// one does, a single-buffered worklist is not at its end, and its bank will be pulled from again.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "isa/block_context.h"
#include "isa/warp_context.h"
#include "machine/warp_slots.h"

namespace raddle::mechanisms::hwwl {

/// Lanes of a warp that is on its way from one multiprocessor to another.
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

/// Of one multiprocessor.
class Holders {
 public:
  /// How many there are.
  unsigned lanes() const { return count_; }
  /// Whether a warp's lane of this number does.
  bool any(unsigned lane) const { return warps_with_[lane] != 0; }
  /// Whether the warp has been seen since it came.
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
  /// The warp leaves.
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

  /// One more of each of the lanes, or (~0) one less.
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
