// A multiprocessor: resident blocks and their warps, the schedulers that issue from them, and the
// units in which instructions execute. Within a cycle it touches its own state alone.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "isa/global_port.h"
#include "machine/dispatch/grid.h"
#include "machine/execute/units.h"
#include "machine/fault.h"
#include "machine/frontend/frontend.h"
#include "machine/host_clock.h"
#include "machine/load_store/load_store.h"
#include "machine/observer.h"
#include "machine/operands/operands.h"
#include "machine/profile.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/resident_block.h"
#include "machine/sm/stats.h"
#include "machine/warp/warp.h"
#include "machine/warp_event.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

/// A fault as the SM saw it.
struct SmFault {
  isa::Fault fault;
  GridId grid = 0;
  FaultSite site;
};

class Sm {
 public:
  /// `services`: what printing and allocating kernels call; used by apply_global_writes() alone.
  /// `wake`: where wake() is kept, in a table that is scanned each cycle.
  Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space, isa::Services& services,
     StatGroup& statistics, Cycle& wake);

  // Dispatch, between cycles.
  bool has_room(const BlockNeeds& needs) const;
  unsigned free_warps() const { return free_.warps; }
  /// Puts a block of `grid` on this SM at the end of cycle `now`; has_room() was true.
  /// `context`: the grid's own, or that of a group of blocks coalesced onto it.
  void place(Grid& grid, const isa::GridContext& context, const Dim3& index, Cycle now);

  /// The first cycle in which cycle() does anything; kNever when only the memory side can wake it.
  Cycle wake() const { return wake_; }
  /// From outside comes something to do at `at`, or perhaps comes.
  void rouse(Cycle at) { wake_ = std::min(wake_, at); }
  /// One SM cycle. Cycles since the last call count as stalled for the reasons that then held.
  void cycle(Cycle now);

  // Tools (machine/observer.h, machine/profile.h); they must outlive the SM's work.
  void observe(Observer& observer) { observer_ = &observer; }
  void profile(Profile& profile) { profile_ = &profile; }

  // After the cycle, one SM after the other; only when concerned().
  bool concerned() const {
    return port_.pending() || !faults_.empty() || blocks_to_retire_ != 0 || endless_waits_ != 0;
  }
  /// Carries out the writes and atomics to global memory that this cycle issued.
  void apply_global_writes() {
    port_.apply();
    if (!port_.late_faults().empty()) [[unlikely]]
      take_late_faults();
  }
  /// Frees blocks whose warps have all ended and tells their grids, and `ended`, which is called
  /// before the block's memory is used again. True when there were any.
  using BlockEnded = std::function<void(Grid&, const isa::BlockContext&)>;
  bool retire_blocks(Cycle now, const BlockEnded& ended);
  /// WarpContext::waits_until of a warp here has changed, after cycle() and before the next.
  void wake_warp(const isa::WarpContext& warp, Cycle now);
  std::vector<SmFault>& faults() { return faults_; }

  // swapping.cpp: blocks that wait for others' work, between cycles.
  /// A block away from its SM, with its warps.
  struct Swapped;
  /// f(block) for each block that no warp of which can go on before wake_warp(), and of which
  /// nobody has decided yet whether it leaves (ResidentBlock::leaves_at).
  template <class F>
  void for_each_stuck(F f) {
    if (endless_waits_ == 0) return;
    for (const auto& block : blocks_) {
      if (block->grid != nullptr && block->leaves_at == 0 && stuck(*block)) f(*block);
    }
  }
  /// Takes a block away which for_each_stuck() has found and that is still so.
  std::unique_ptr<Swapped> swap_out(ResidentBlock& block, Cycle now);
  /// Brings it back, to a place for which has_room() was true; its warps go on at `restored`.
  void swap_in(std::unique_ptr<Swapped> swapped, Cycle restored, Cycle now);

  /// Nothing runs any more: tells the grids what their blocks here have executed.
  void abandon_blocks();

  /// Brings the counts up to the end of the cycle before `end`.
  void account_until(Cycle end);

  std::uint64_t warp_instructions() const { return stats_.warp_instructions; }

  /// Throws Error unless the SM is empty and its counts add up: for tests and checking builds.
  void check_drained() const;
  LoadStore& memory() { return memory_; }
  const HostClock& host_clock() const { return host_clock_; }
  /// Adds a line for each warp that has not ended: who it is and what it waits for. `lines` counts
  /// them over all SMs; after `most` no more are added.
  void describe_waiting(std::string& text, unsigned& lines, unsigned most) const;
  /// Adds each warp that has not ended.
  void add_to(Whereabouts& all) const;

 private:
  /// What each warp slot is about; a slot is in exactly one state.
  enum class State : std::uint8_t {
    vacant,
    ready,           // its next instruction has its operands
    execution,       // waits for an arithmetic result
    memory,          // waits for a memory result
    no_instruction,  // its next instruction is not in its buffer
    fetch,           // waits for its start or for a branch
    barrier,
    fence,    // until its accesses are acknowledged
    runtime,  // waits for a call of the device runtime
    asleep,   // nanosleep; or no split of it can run yet
    ending,   // has exited, with accesses or results under way
    ended,    // waits for the other warps of its block
    count_
  };
  /// Why a scheduler stalls: the first of these states in which one of its warps is. (Whether it
  /// is the unit or the operands that a ready warp waits for, schedule() knows.)
  static constexpr std::pair<State, Slot> kStallOrder[] = {
      {State::ready, Slot::unit_busy},
      {State::ready, Slot::operands},
      {State::execution, Slot::execution},
      {State::memory, Slot::memory},
      {State::no_instruction, Slot::no_instruction},
      {State::fetch, Slot::fetch},
      {State::barrier, Slot::barrier},
      {State::fence, Slot::fence},
      {State::runtime, Slot::runtime},
      {State::asleep, Slot::asleep}};
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::count_);

  struct WarpSlot {
    Warp warp;
    ResidentBlock* block = nullptr;
    const isa::Program* program = nullptr;
    State state = State::vacant;
    Cycle until = 0;                // asleep, fetch, no_instruction: when it may go on
    CodeCounts* counts = nullptr;   // while there is a profile
    std::uint32_t last_issued = 0;  // code position; while there is a profile
  };

  WarpMask in(State state) const { return masks_[static_cast<std::size_t>(state)]; }
  void enter(unsigned warp, State state);
  bool stuck(const ResidentBlock& block) const;
  void wait_endlessly(unsigned warp) {
    enter(warp, State::runtime);
    ++endless_waits_;
  }
  void take_resources(const BlockNeeds& needs);
  void give_resources(const BlockNeeds& needs);
  unsigned scheduler_of(unsigned warp) const {
    return warp % static_cast<unsigned>(schedulers_.size());
  }
  void fill_context(ResidentBlock& block, const isa::GridContext& context, const Dim3& index,
                    std::uint32_t slot);
  void start_warps(ResidentBlock& block, Cycle now);
  void retire(ResidentBlock& block, const BlockEnded& ended, Cycle now);
  std::uint32_t shared_wanted(const BlockNeeds& needs) const;

  void cycle_memory(Cycle now);
  void look_for_instructions(Cycle now);
  void take_event(WarpEvent event, Cycle now);
  void memory_completed(unsigned warp, std::uint32_t code, Cycle now);
  void look_at_next(unsigned warp, Cycle now);
  void wait_until(unsigned warp, State state, Cycle until, Cycle now);
  void reconsider(unsigned warp, Cycle now);

  void schedule(unsigned scheduler, Cycle now);
  bool can_issue(unsigned warp, unsigned scheduler, Cycle now);
  void issue(unsigned warp, unsigned scheduler, Cycle now);
  Step execute(Warp& warp);
  void after_step(unsigned warp, const Step& step, Cycle delay, Cycle now);
  void track_result(unsigned warp, const isa::Instruction& instruction, Cycle delay, Cycle now);
  void fault(unsigned warp, Cycle now);
  void add_fault(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code);
  void take_late_faults();
  void sleep(unsigned warp, Cycle now);
  void arrive_at_barrier(unsigned warp, Cycle now);
  void release_barriers(ResidentBlock& block, Cycle now);
  void end_warp(unsigned warp, Cycle now);
  void finish_ending(unsigned warp);

  Slot stalled(WarpMask owned) const;
  void count_slots(Slot reason, WarpMask owned, Cycle cycles);

  // profiling.cpp
  void charge_stall(Slot reason, WarpMask owned, Cycle cycles);
  static void charge_issue(WarpSlot& slot);
  static void charge_step(WarpSlot& slot, const Step& step);
  static void charge_access(WarpSlot& slot, std::uint32_t code, LoadStore::Cost cost);
  void decide_wake(Cycle now);

  unsigned index_;
  Divergence divergence_;
  unsigned dispatch_width_, block_latency_;
  double ns_per_cycle_;
  bool keep_going_;

  std::vector<std::unique_ptr<WarpSlot>> slots_;
  std::array<WarpMask, kStates> masks_{};
  WarpMask uses_load_store_ = 0;  // ready warps whose next instruction goes to the load-store unit
  WarpAges ages_{};
  std::uint64_t warps_placed_ = 0;

  std::vector<std::unique_ptr<ResidentBlock>> blocks_;
  BlockNeeds all_, free_;  // what there is, and what of it is not taken
  unsigned free_blocks_;
  GridId newest_grid_ = 0;
  unsigned resident_ = 0;  // warps of resident blocks
  unsigned blocks_to_retire_ = 0;
  unsigned endless_waits_ = 0;  // warps that wait until they are woken
  std::uint64_t retired_ = 0;   // instructions of blocks that have ended

  std::vector<WarpScheduler> schedulers_;
  Scoreboard scoreboard_;
  WarpEvents events_;
  ExecuteUnits units_;
  isa::GlobalPort port_;
  SmStats stats_;
  HostClock host_clock_;
  LoadStore memory_;
  Frontend frontend_;
  Operands operands_;
  std::vector<SmFault> faults_;
  Observer* observer_ = nullptr;
  Profile* profile_ = nullptr;

  Cycle& wake_;
  Cycle accounted_ = 0;  // the counts hold for all cycles before it
};

struct Sm::Swapped {
  std::unique_ptr<ResidentBlock> block;
  std::vector<std::unique_ptr<WarpSlot>> warps;
};

}  // namespace raddle::machine
