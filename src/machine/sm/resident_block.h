// A thread block while it is on an SM; storage is reused by the blocks that follow it.
#pragma once

#include <vector>

#include "isa/block_context.h"
#include "machine/dispatch/grid.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/warp/barrier.h"

namespace raddle::machine {

struct ResidentBlock {
  Grid* grid = nullptr;  // nullptr: vacant
  isa::BlockContext context;
  BlockBarriers barriers;
  BlockNeeds needs;
  std::vector<std::uint8_t> warps;  // [warp in block]: its slot
  unsigned running = 0;             // warps that have not ended
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::vector<std::byte> shared, local;
};

}  // namespace raddle::machine
