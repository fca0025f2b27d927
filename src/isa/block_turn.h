// The turn of a thread block on the functional machine, where blocks run in turns: how far its
// warps may go, and what only the block whose turn it is may do.
//
// What orders blocks (atomics, volatile, acquire and release accesses of global memory, clocks,
// builtins such as printf and malloc, nanosleep) is done in the order of the turns. Between such
// accesses a block of a program without races sees nothing of the others, so that it may run ahead
// of its turn, on another host thread, up to the next one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"
#include "isa/warp_context.h"

namespace raddle::isa {

/// Positions are warp instructions since the turn began.
struct BlockTurn {
  /// A turn ends so many instructions after the last access that orders blocks, if others follow it
  /// so late: those of the next block need not wait for what lies between.
  static constexpr std::uint64_t kGap = 128;

  bool mine = true;              // the turn has come
  bool refused = false;          // an instruction was left undone since it has not
  bool ordered = false;          // something that orders blocks was done
  bool progress = false;         // global memory was changed
  bool sleeps = false;           // the running warp has asked for it
  Cycle base = 0;                // WarpContext::now at position 0
  std::uint64_t bound = kNever;  // the running warp stops here
  std::uint64_t end = kNever;    // the same, or earlier since it has ordered something
  std::uint64_t quantum = 64;    // instructions after the first access that orders blocks
  std::uint64_t quantum_end = 0, gap_end = 0;  // when something was ordered

  /// The running warp is about to do what orders blocks.
  bool enter(WarpContext& w) {
    if (!mine) {
      refused = true;
      w.fault.kind = Fault::Kind::trap;  // any: it stops the warp before the instruction
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
  /// A warp runs from here, up to `position` at most.
  void run_to(std::uint64_t position) {
    bound = position;
    end = ordered ? std::min({bound, quantum_end, gap_end}) : bound;
  }
};

}  // namespace raddle::isa
