// A grid from its launch to its end.
#pragma once

#include "isa/block_context.h"
#include "machine/gpu.h"
#include "machine/occupancy.h"

namespace raddle::machine {

/// Converts a linear index to the index in a grid or group of that size.
inline Dim3 index_in(const Dim3& size, std::uint64_t block) {
  return {static_cast<std::uint32_t>(block % size.x),
          static_cast<std::uint32_t>(block / size.x % size.y),
          static_cast<std::uint32_t>(block / size.x / size.y)};
}

/// Blocks that a mechanism adds to a running grid. They have the grid's kernel and block shape, but
/// indices and parameters of their own. The mechanism owns the group, which must live until its
/// blocks have ended.
struct BlockGroup : isa::GridContext {
  virtual ~BlockGroup() = default;
  /// The cycle from which blocks of this group can be placed. The dispatcher calls it when the
  /// group's turn has come, and again until that cycle.
  virtual Cycle available(Cycle now) { return now; }

  BlockGroup* next = nullptr;  // the group to place after this one (AGE's Next)
  std::uint64_t next_block = 0, ended_blocks = 0;
  Cycle first_placed = kNever;
  std::uint64_t blocks() const { return grid.count(); }
};

struct Grid {
  GridId id = 0;
  const isa::Program* program = nullptr;
  const isa::Function* kernel = nullptr;
  isa::GridContext context;
  BlockNeeds needs;
  std::uint32_t local_bytes_per_thread = 0;
  GridRecord record;
  int priority = 0;
  unsigned client = 0;          // Launch::client
  bool doomed = false;          // its client has ended, so the grid ends early
  bool owns_workspace = false;  // GridContext::sync_workspace is freed with the grid
  bool from_device = false;     // launched by a kernel
  std::uint32_t hardware_queue = kNoQueue;
  Cycle ready = 0;                // when the kernel management unit sees it, SM cycles
  unsigned dispatch_latency = 0;  // from that unit to the distributor, SM cycles
  Address record_at = 0;          // the record that the unit reads of a grid launched by a kernel
  std::uint32_t record_bytes = 0;
  Cycle first_placed = kNever;     // when its first block was placed
  std::uint64_t next_block = 0;    // linear index of the next block to be placed
  std::uint64_t ended_blocks = 0;  // of the grid and its groups
  Cycle last_block_ended = 0;

  unsigned storing = 0;  // multiprocessors with stores under way from warps that have left

  // Groups coalesced onto it (dynamic-thread-block-launch, section 4.2).
  std::uint64_t group_blocks = 0;    // blocks of all groups
  BlockGroup* next_group = nullptr;  // the group whose blocks are placed next (NAGEI)
  BlockGroup* last_group = nullptr;  // the group added last (LAGEI)

  // Blocks that are swapped out: blocks that still wait, and blocks that can be placed again.
  std::uint64_t away = 0, to_resume = 0;
  bool resumed = false;  // it left the distributor suspended, and enters it again

  std::uint64_t blocks() const { return context.grid.count(); }
  bool all_placed() const {
    return next_block == blocks() && next_group == nullptr && to_resume == 0;
  }
  /// None of its blocks runs or can be placed, and some are away.
  bool suspended() const {
    return away != 0 && all_placed() && ended_blocks + away == blocks() + group_blocks;
  }
  bool ended() const { return ended_blocks == blocks() + group_blocks && storing == 0; }
  Dim3 index_of(std::uint64_t block) const { return index_in(context.grid, block); }
};

}  // namespace raddle::machine
