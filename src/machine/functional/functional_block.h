// A thread block of the functional machine: its warps run in turns, as far as barriers let them.
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

/// What a host thread runs blocks with.
struct BlockRunner {
  isa::GlobalPort& port;
  double ns_per_cycle;
  CodeCounts* counts;  // the profile of the block's program, or nullptr
};

/// Where a turn ends, and what its warps do, depends on the block's own instructions alone and on
/// what it reads of others with the turn: never on how far it has run ahead, or when.
class FunctionalBlock {
 public:
  /// Makes this the block `index` of `grid`, at the beginning of its first turn; storage is reused.
  void start(Grid& grid, const Dim3& index, std::uint32_t sm, isa::GlobalPort& port,
             const LaneControlKind& scheme);

  enum class Outcome : std::uint8_t {
    paused,       // came to the position where it should stop; the turn goes on
    out_of_turn,  // the next instruction orders blocks, and it is not this block's turn
    more,         // the turn is over
    waits,        // the same: all warps that have not ended wait
    fault,        // the same: see fault_warp()
    ended,
  };
  /// The block's turn has come; its position is now reached at cycle `now`. `contended`: other
  /// blocks wait.
  void take_turn(Cycle now, bool contended);
  /// Goes on in the turn, up to position `stop` at most.
  Outcome run(const BlockRunner& runner, std::uint64_t stop);
  /// Warp instructions, and lanes that executed them, since the turn began.
  std::uint64_t position() const { return at_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }

  /// Why a turn with the outcome `more` ended.
  enum class Pace : std::uint8_t {
    plain,    // it has been long enough; nothing in it ordered blocks
    gap,      // what orders blocks was followed by much that does not
    busy,     // much of what it does orders blocks
    stalled,  // warps went on without changing anything: they wait for other blocks
  };
  Pace pace() const { return pace_; }
  /// Begins the next turn, which has not come yet.
  void begin_turn();

  Grid& grid() { return *grid_; }
  const isa::BlockContext& context() const { return context_; }
  /// The warp that faulted, at the instruction that did it.
  Warp& fault_warp() { return *warps_[fault_warp_]; }
  /// Lets a warp go on that a builtin has blocked.
  void wake_warp(unsigned warp);
  /// Lets lanes go on that wait for a unit.
  void wake_lanes(unsigned warp, LaneMask lanes);
  /// A builtin has blocked a warp, or lanes wait for a unit: others decide when they go on.
  bool blocked() const { return (blocked_ | parked_) != 0; }
  /// Passes over the faulting instruction.
  void skip_fault(const BlockRunner& runner);
  /// Adds a line for each warp that waits, at most `most` in all.
  void describe_waiting(std::string& text, unsigned& lines, unsigned most) const;
  /// Whether no warp can get on but for lanes in repeating(warp), which go on as they do.
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
  std::uint32_t runnable_ = 0;   // a bit for each warp of the block
  std::uint32_t released_ = 0;   // the same: by a barrier, and have not run since
  std::uint32_t blocked_ = 0;    // the same: by builtins
  std::uint32_t parked_ = 0;     // the same: some of their lanes wait for a unit
  unsigned left_ = 0;            // warps that have not ended
  unsigned warp_ = 0;            // that runs
  std::uint64_t warp_left_ = 0;  // instructions until the next warp has its turn
  unsigned stalled_ = 0;         // warps in a row that went on without changing anything
  bool contended_ = false;
  std::uint64_t extended_ = 0;  // instructions by which the turn is longer for that
  unsigned fault_warp_ = 0;
  isa::BlockTurn turn_;
  std::uint64_t at_ = 0, thread_instructions_ = 0;
  Pace pace_ = Pace::plain;
  std::vector<std::byte> shared_, local_;
};

}  // namespace raddle::machine
