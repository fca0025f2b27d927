// The state of a grid and of its blocks while they run on the functional machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "isa/block_context.h"
#include "machine/dispatch/grid.h"
#include "machine/functional/functional_block.h"

namespace raddle::machine {

struct GridRun;

/// A block on the functional machine. It exists from when a thread takes it up, which can be before
/// its first turn, until its end has been handled in order. One thread uses it at a time.
struct BlockRun {
  using Outcome = FunctionalBlock::Outcome;

  GridRun* grid = nullptr;
  std::uint64_t number = 0;                // linear index of the block
  std::unique_ptr<FunctionalBlock> block;  // nullptr: not started yet, or ended
  isa::BlockContext context;               // context of a block that has ended
  Outcome outcome = Outcome::paused;
  FunctionalBlock::Pace pace = FunctionalBlock::Pace::plain;
  // Instructions since the turn began.
  std::uint64_t position = 0, thread_instructions = 0;
  std::uint64_t counted = 0;  // instructions of `position` that the GPU's clock has counted

  bool turn_over() const { return outcome != Outcome::paused && outcome != Outcome::out_of_turn; }

  /// The thread that may use the block.
  enum class Holder : std::uint8_t {
    turns,   // the thread that has the turns
    other,   // another thread, which runs it
    offered  // the first thread that changes this value
  };
  std::atomic<Holder> holder{Holder::turns};
  // For RunAhead.
  std::atomic<bool> admitted{false};
  std::atomic<bool> ahead{false};  // started before it was admitted, and not ended
};

/// A grid that is queued or running.
struct GridRun {
  std::unique_ptr<Grid> grid;
  std::uint64_t resident = 0;       // the number of blocks that the GPU holds at once
  std::vector<CodeCounts*> counts;  // the profile, by host thread; empty: none

  // For RunAhead.
  std::deque<BlockRun*> next;   // blocks to admit next; used by the thread that has the turns
  std::deque<BlockRun*> ahead;  // later blocks that threads have taken up
  std::uint64_t taken = 0;      // number of blocks that threads have taken up
  std::atomic<std::uint64_t> ended_ahead{0}, instructions_ahead{0};
  std::atomic<bool> orders{false};  // a block stopped before its end, other than paused
};

}  // namespace raddle::machine
