// The turn of a thread block on the functional machine, where blocks run in turns: how far the
// block's warps may run, and what only the block that has the turn may do.
//
// Some accesses order blocks: atomics, volatile, acquire and release accesses of global memory,
// clocks, builtins such as printf and malloc, and nanosleep. The machine executes them in the order
// of the turns. Between two such accesses, a block of a program without races sees nothing of the
// other blocks. So the block may run ahead of its turn, on another host thread, up to its next such
// access.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"
#include "isa/warp_context.h"

namespace raddle::isa {

/// Positions are warp instructions since the turn began.
struct BlockTurn {
  /// A turn ends this many instructions after the last access that orders blocks, even when another
  /// such access follows later. So the next block does not wait for the instructions in between.
  static constexpr std::uint64_t kGap = 128;

  bool mine = true;              // the block has the turn
  bool refused = false;          // an instruction had to wait for the turn
  bool ordered = false;          // the block has executed an access that orders blocks
  bool progress = false;         // global memory was changed
  bool sleeps = false;           // the running warp has asked to sleep
  Cycle base = 0;                // WarpContext::now at position 0
  std::uint64_t bound = kNever;  // the running warp stops here
  std::uint64_t end = kNever;    // the same, or earlier once the block has ordered something
  std::uint64_t quantum = 64;    // instructions after the first access that orders blocks
  std::uint64_t quantum_end = 0, gap_end = 0;  // valid once `ordered` is set

  /// The running warp is about to execute an access that orders blocks.
  bool enter(WarpContext& w) {
    if (!mine) {
      refused = true;
      w.fault.kind = Fault::Kind::trap;  // any kind: a fault stops the warp before the instruction
      return false;
    }
    const std::uint64_t at = w.now - base;
    if (!ordered) quantum_end = at + quantum;
    ordered = true;
    gap_end = at + 1 + kGap;
    end = std::min({bound, quantum_end, gap_end});
    return true;
  }
  void sleep() {
    sleeps = true;
    end = 0;
  }
  /// A warp runs from here, at most up to `position`.
  void run_to(std::uint64_t position) {
    bound = position;
    end = ordered ? std::min({bound, quantum_end, gap_end}) : bound;
  }
};

}  // namespace raddle::isa
