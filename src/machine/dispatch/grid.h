// A grid from its launch to its end.
#pragma once

#include "isa/block_context.h"
#include "machine/gpu.h"
#include "machine/occupancy.h"

namespace raddle::machine {

/// Linear index to the index in a grid or group of that size.
inline Dim3 index_in(const Dim3& size, std::uint64_t block) {
  return {static_cast<std::uint32_t>(block % size.x),
          static_cast<std::uint32_t>(block / size.x % size.y),
          static_cast<std::uint32_t>(block / size.x / size.y)};
}

/// Blocks that a mechanism adds to a grid while it runs, of the grid's kernel and block shape, with
/// indices and parameters of their own. Owned by the mechanism; lives until its blocks have ended.
struct BlockGroup : isa::GridContext {
  virtual ~BlockGroup() = default;
  /// The dispatcher turns to this group, again and again until it is there: the cycle from which
  /// its blocks can be placed.
  virtual Cycle available(Cycle now) { return now; }

  BlockGroup* next = nullptr;  // to be placed after it (AGE's Next)
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
  bool doomed = false;          // its client has ended: it ends before its time
  bool owns_workspace = false;  // GridContext::sync_workspace goes with it
  bool from_device = false;     // launched by a kernel
  std::uint32_t hardware_queue = kNoQueue;
  Cycle ready = 0;                // when the kernel management unit sees it
  unsigned dispatch_latency = 0;  // from there to the distributor
  Address record_at = 0;          // what that unit reads of it, launched by a kernel
  std::uint32_t record_bytes = 0;
  Cycle first_placed = kNever;     // its first block
  std::uint64_t next_block = 0;    // linear index of the next block to be placed
  std::uint64_t ended_blocks = 0;  // of grid and groups
  Cycle last_block_ended = 0;

  unsigned storing = 0;  // multiprocessors on which stores of warps that have left are under way

  // Groups coalesced onto it (dynamic-thread-block-launch, section 4.2).
  std::uint64_t group_blocks = 0;    // in all
  BlockGroup* next_group = nullptr;  // whose blocks are placed next (NAGEI)
  BlockGroup* last_group = nullptr;  // the last that was added (LAGEI)

  // Blocks swapped out: those that still wait, and those that can be placed again.
  std::uint64_t away = 0, to_resume = 0;
  bool resumed = false;  // has left the distributor, suspended, and comes to it once more

  std::uint64_t blocks() const { return context.grid.count(); }
  bool all_placed() const {
    return next_block == blocks() && next_group == nullptr && to_resume == 0;
  }
  /// None of its blocks runs or can be placed; some are away.
  bool suspended() const {
    return away != 0 && all_placed() && ended_blocks + away == blocks() + group_blocks;
  }
  bool ended() const { return ended_blocks == blocks() + group_blocks && storing == 0; }
  Dim3 index_of(std::uint64_t block) const { return index_in(context.grid, block); }
};

}  // namespace raddle::machine
