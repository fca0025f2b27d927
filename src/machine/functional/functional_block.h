// A thread block on the functional machine. Its warps run in turns, as far as barriers allow.
#pragma once

#include <memory>
#include <vector>

#include "isa/block_turn.h"
#include "isa/global_port.h"
#include "machine/dispatch/grid.h"
#include "machine/profile.h"
#include "machine/warp/warp.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

/// The environment in which a host thread runs blocks.
struct BlockRunner {
  isa::GlobalPort& port;
  double ns_per_cycle;
  CodeCounts* counts;  // the profile of the block's program, or nullptr
};

/// The end of a turn and the actions of its warps depend only on the block's own instructions, and
/// on what the block reads from other blocks in its turn. They never depend on how far the block
/// has run ahead, or when.
class FunctionalBlock {
 public:
  /// Makes this object the block `index` of `grid`, at the start of its first turn. Storage is
  /// reused.
  void start(Grid& grid, const Dim3& index, std::uint32_t sm, isa::GlobalPort& port,
             const LaneControlKind& scheme);

  enum class Outcome : std::uint8_t {
    paused,       // reached the position where it should stop; the turn continues
    out_of_turn,  // the next instruction orders blocks, and it is not this block's turn
    more,         // the turn is over
    waits,        // the turn is over: all warps that have not ended wait
    fault,        // the turn is over: see fault_warp()
    ended,
  };
  /// The block's turn has come. Its present position corresponds to cycle `now`. `contended`: other
  /// blocks wait.
  void take_turn(Cycle now, bool contended);
  /// Continues the turn, at most up to position `stop`.
  Outcome run(const BlockRunner& runner, std::uint64_t stop);
  /// Warp instructions since the turn began, and the lanes that executed them.
  std::uint64_t position() const { return at_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }

  /// The reason why a turn with the outcome `more` ended.
  enum class Pace : std::uint8_t {
    plain,    // long enough; nothing in it ordered blocks
    gap,      // many instructions followed that do not order blocks
    busy,     // many of its instructions order blocks
    stalled,  // warps ran without changing anything: they wait for other blocks
  };
  Pace pace() const { return pace_; }
  /// Prepares the next turn, before it comes.
  void begin_turn();

  Grid& grid() { return *grid_; }
  const isa::BlockContext& context() const { return context_; }
  /// The warp that faulted, at the faulting instruction.
  Warp& fault_warp() { return *warps_[fault_warp_]; }
  /// Wakes a warp that a builtin has blocked.
  void wake_warp(unsigned warp);
  /// Wakes lanes that wait for a unit.
  void wake_lanes(unsigned warp, LaneMask lanes);
  /// Whether a builtin has blocked a warp, or lanes wait for a unit. Other parts decide when they
  /// continue.
  bool blocked() const { return (blocked_ | parked_) != 0; }
  /// Skips the faulting instruction.
  void skip_fault(const BlockRunner& runner);
  /// Adds a line for each warp that waits, until there are `most` lines.
  void describe_waiting(std::string& text, unsigned& lines, unsigned most) const;
  /// Whether no warp can advance, except lanes in repeating(warp), which repeat the same
  /// instructions.
  template <class Repeating>
  bool waits_for_ever(Repeating repeating) const {
    if (blocked()) return false;
    for (unsigned warp = 0; warp < grid_->needs.warps; ++warp) {
      const Warp& one = *warps_[warp];
      if (!one.finished() && !one.waits_for_ever(repeating(one))) return false;
    }
    return true;
  }
  /// Adds each warp that has not ended.
  void add_to(Whereabouts& all) const;

 private:
  bool turn_over();
  bool extend();
  bool warp_stalls();
  void choose_warp();
  template <bool kProfiled>
  Step::Then run_warp(Warp& warp, const BlockRunner& runner, std::uint64_t stop);
  void settle(unsigned warp, Step::Then then);
  void note_parked(unsigned warp);

  Grid* grid_ = nullptr;
  isa::BlockContext context_;
  BlockBarriers barriers_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::uint32_t runnable_ = 0;   // one bit for each warp of the block
  std::uint32_t released_ = 0;   // the same: released by a barrier, not run since
  std::uint32_t blocked_ = 0;    // the same: blocked by builtins
  std::uint32_t parked_ = 0;     // the same: some lanes wait for a unit
  unsigned left_ = 0;            // warps that have not ended
  unsigned warp_ = 0;            // the warp that runs
  std::uint64_t warp_left_ = 0;  // instructions until the next warp has its turn
  unsigned stalled_ = 0;         // warps in a row that ran without changing anything
  bool contended_ = false;
  std::uint64_t extended_ = 0;  // instructions by which the turn is longer because of that
  unsigned fault_warp_ = 0;
  isa::BlockTurn turn_;
  std::uint64_t at_ = 0, thread_instructions_ = 0;
  Pace pace_ = Pace::plain;
  std::vector<std::byte> shared_, local_;
};

}  // namespace raddle::machine
