// What the functional machine keeps of a grid and of its blocks while they run.
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

/// A block from when it is taken up, which can be before its first turn, until its end has come in
/// order. Used by one thread at a time.
struct BlockRun {
  using Outcome = FunctionalBlock::Outcome;

  GridRun* grid = nullptr;
  std::uint64_t number = 0;                // linear index of the block
  std::unique_ptr<FunctionalBlock> block;  // nullptr: not begun yet, or ended
  isa::BlockContext context;               // of one that has ended
  Outcome outcome = Outcome::paused;
  FunctionalBlock::Pace pace = FunctionalBlock::Pace::plain;
  // Since the turn began.
  std::uint64_t position = 0, thread_instructions = 0;
  std::uint64_t counted = 0;  // of `position`: part of the GPU's clock

  bool turn_over() const { return outcome != Outcome::paused && outcome != Outcome::out_of_turn; }

  /// Who may use it.
  enum class Holder : std::uint8_t {
    turns,   // the thread that has the turns
    other,   // another thread, which runs it
    offered  // whoever changes this first
  };
  std::atomic<Holder> holder{Holder::turns};
  // Of RunAhead.
  std::atomic<bool> admitted{false};
  std::atomic<bool> ahead{false};  // counted as begun, not admitted, and not ended
};

/// A grid that is queued or running.
struct GridRun {
  std::unique_ptr<Grid> grid;
  std::uint64_t resident = 0;       // blocks that the GPU holds at once
  std::vector<CodeCounts*> counts;  // the profile, by host thread; empty: none

  // Of RunAhead.
  std::deque<BlockRun*> next;   // to be admitted next; of the thread that has the turns
  std::deque<BlockRun*> ahead;  // those after them that were taken up
  std::uint64_t taken = 0;      // blocks that were taken up
  std::atomic<std::uint64_t> ended_ahead{0}, instructions_ahead{0};
  std::atomic<bool> orders{false};  // a block did not come to its end by itself
};

}  // namespace raddle::machine
