// The functional machine: correct values and instruction counts, no timing. Its clock counts one SM
// cycle for each warp instruction.
//
// Blocks take turns, in rounds: every admitted block has one turn in each round. A turn is long
// while nothing in it orders blocks. So independent blocks run one after the other, each as far as
// it can, which suits the host's caches. Turns are short for blocks that may wait for other blocks.
// Then further blocks are admitted, up to the number that the hardware holds at once. Turns, and so
// results, counts and clocks, do not depend on the number of host threads: see isa/block_turn.h and
// run_ahead.h.
#pragma once

#include <deque>

#include "base/error.h"
#include "machine/config.h"
#include "machine/engine.h"
#include "machine/functional/run_ahead.h"
#include "machine/spin_check.h"

namespace raddle::machine {

class FunctionalGpu : public Engine {
 public:
  FunctionalGpu(const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics);

  bool idle() const override { return grids_.empty() && !holds_any(); }
  bool has(GridId grid) const override;
  void advance(Cycle limit, const std::atomic<unsigned>& wanted) override;
  void host_was_here() override { spins_.host_was_here(now_); }
  void stop() override;
  Whereabouts whereabouts() override;

  void wake_warp(const isa::WarpContext& warp) override;
  void wake_lanes(const isa::WarpContext& warp, LaneMask lanes) override;
  const std::vector<std::unique_ptr<Grid>>& distributor() const override { return none_; }
  void add_group(Grid&, BlockGroup&) override {
    fail("a group was added to a grid of the functional machine, which has no distributor");
  }

 protected:
  void enqueue(std::unique_ptr<Grid> grid) override;

 private:
  template <class Wake>
  void wake_in(const isa::BlockContext& context, Wake wake);
  Cycle first_ready() const;
  void run_until(Cycle limit, const std::atomic<unsigned>& wanted);
  bool begin_round();
  bool resume_held_back();
  void widen();
  GridRun* next_grid();
  void begin(GridRun& grid);
  void admit_block(GridRun& grid);
  void run_turn(Cycle limit);
  void end_turn(BlockRun& run);
  void next_turn(BlockRun& run);
  void end_block(std::size_t position);
  void report_fault(BlockRun& run);
  void report_stuck(const std::string& why);
  bool wait_for_ever(Cycle limit);
  bool all_wait();

  /// Counts of turns in a round, by their outcome.
  struct Round {
    std::size_t stalled = 0, ordered = 0, ended = 0;
  };

  std::deque<std::unique_ptr<GridRun>> grids_;  // queued and running, in order
  const std::vector<std::unique_ptr<Grid>> none_;
  RunAhead ahead_;
  SpinCheck spins_;
  std::vector<BlockRun*> active_;   // admitted blocks
  std::vector<BlockRun*> blocked_;  // the blocks of active_ with warps that a builtin has blocked
  std::size_t turn_ = 0;            // index in active_ of the block whose turn it is
  std::size_t waiting_ = 0;         // turns in a row in which no warp could run
  std::size_t width_ = 1;           // the number of blocks that should be admitted
  Round round_;
  bool contended_ = false;  // blocks waited in the last round
  Cycle next_show_ = 0;
  std::vector<const isa::Instruction*> reported_;
  bool stopped_ = false;
};

}  // namespace raddle::machine
