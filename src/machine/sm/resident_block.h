// A thread block while it is on an SM; storage is reused by the blocks that follow it.
#pragma once

#include <vector>

#include "isa/block_context.h"
#include "machine/dispatch/grid.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/sm/block_counts.h"
#include "machine/warp/barrier.h"

namespace raddle::machine {

struct ResidentBlock {
  Grid* grid = nullptr;  // nullptr: vacant
  isa::BlockContext context;
  BlockBarriers barriers;
  BlockNeeds needs;
  std::vector<std::uint8_t> warps;  // [warp in block]: its slot
  unsigned running = 0;             // warps that have not ended
  Cycle since = 0;                  // its first cycle here
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  BlockCounts counts;  // after Sm::count_blocks()
  std::vector<std::byte> shared, local;
  /// When its state will have been saved, if none of its warps goes on before; 0: nobody saves it.
  Cycle leaves_at = 0;

  /// Adds what it has executed here to the grid's record.
  void tell_grid() const {
    grid->record.warp_instructions += warp_instructions;
    grid->record.thread_instructions += thread_instructions;
  }
  /// What must be saved: registers and shared memory.
  std::uint64_t state_bytes() const {
    return std::uint64_t{needs.registers} * sizeof(std::uint32_t) + context.shared_bytes;
  }
};

}  // namespace raddle::machine
