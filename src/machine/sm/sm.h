// A multiprocessor: resident blocks and their warps, the schedulers that issue from them, and the
// units in which instructions execute. Within a cycle it touches only its own state.
//
//   residency       blocks that begin and end here, and the resources they take
//   warp_table      which warp is in which slot, and the state of each of its paths
//   issue_stage     the schedulers: pick a warp, issue, start the work of the instruction
//   warp_progress   what paths wait for, and when they continue
//   write_back      results on their way to the register file
//   subdivision     division of paths when some lanes have their data before others
//   formed_issue    issues that lanes of several warps share
//   attached_units  the texture unit, and units of mechanisms (unit_port: their access to the SM)
//   preemption      blocks that leave before their end and come back
//   issue_accounts  accounts of the schedulers' cycles (charges: their causes)
//   fault_log       faults
//
// Each is an object that gets the other objects that it uses as its Parts.
#pragma once

#include <memory>
#include <vector>

#include "machine/sm/issue_stage.h"
#include "machine/sm/preemption.h"
#include "machine/sm/subdivision.h"

namespace raddle::machine {

class Sm {
 public:
  /// `services`: for kernels that print and allocate; used only by apply_global_writes(). `wake`:
  /// storage of wake(), in a table that is scanned each cycle. `contexts`: places for the state of
  /// blocks that leave; used only between cycles.
  Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space, isa::Services& services,
     ContextMemory& contexts, StatGroup& statistics, Cycle& wake);

  /// AttachedUnits::add().
  using MakeUnit = AttachedUnits::MakeUnit;
  bool add_unit(unsigned number, const Cycle& now, MessageEndpoint* messages,
                const MakeUnit& make) {
    return attached_.add(number, now, messages, make);
  }

  unsigned index() const { return index_; }

  // Dispatch, between cycles.
  bool has_room(const BlockNeeds& needs) const { return residency_.has_room(needs); }
  const BlockNeeds& room() const { return residency_.room(); }
  unsigned free_blocks() const { return residency_.free_blocks(); }
  /// [slot]; a vacant slot has no grid.
  const std::vector<std::unique_ptr<ResidentBlock>>& blocks() const { return residency_.blocks(); }
  /// Puts a block of `grid` on this SM at the end of cycle `now`; has_room() was true. `context`:
  /// the grid's own, or that of a group of blocks coalesced onto it.
  const ResidentBlock& place(Grid& grid, const isa::GridContext& context, const Dim3& index,
                             Cycle now) {
    return residency_.place(grid, context, index, now);
  }

  /// The first cycle in which cycle() has work; kNever when only the memory side can wake it.
  Cycle wake() const { return clock_.wake(); }
  /// Work arrives from outside at `at`, or may arrive.
  void rouse(Cycle at) { clock_.rouse(at); }
  /// Checks for runs that skip no idle cycle. check_told(), before cycle(), throws Error if the SM
  /// sleeps and one of its units is due before wake(). check_slept(), after cycle(), throws Error
  /// if the SM should have slept and has worked.
  void check_told(Cycle now);
  void check_slept(Cycle now) const;
  /// One SM cycle. Cycles since the last call count as stalled, for the reasons that held then.
  void cycle(Cycle now);

  // Tools (machine/observer.h, machine/profile.h); they must outlive the SM's work.
  void observe(Observer& observer) { residency_.observe(observer); }
  void profile(Profile& profile) { charges_.profile(profile); }
  /// Counts ResidentBlock::counts from now on; gather_counts() brings them up to date.
  void count_blocks() { charges_.count_blocks(); }
  void gather_counts(ResidentBlock& block) { charges_.gather_counts(block); }

  // After the cycle, one SM after the other; only when concerned().
  bool concerned() const {
    return global_.pending() || !faults_.empty() || progress_.ended_blocks() != 0 ||
           memory_.stores_left().some_came() || progress_.endless_waits() != 0 ||
           (!attached_.empty() && attached_.ask_commit());
  }
  /// Carries out the writes and atomics to global memory that this cycle issued.
  void apply_global_writes();
  isa::GlobalPort& values() { return global_; }
  /// Frees blocks whose warps have all ended, tells their grids, and calls `ended` before the
  /// block's memory is used again. True when there were any.
  using BlockEnded = Residency::BlockEnded;
  bool retire_blocks(Cycle now, const BlockEnded& ended);
  /// Call it after WarpContext::waits_until of a warp here has changed, after cycle() and before
  /// the next.
  void wake_warp(const isa::WarpContext& warp, Cycle now);
  /// All blocks of the grid have ended, here and elsewhere: tells the units.
  void grid_ends(const Grid& grid, Cycle now) { attached_.grid_ends(grid, now); }
  /// Adds missing results of mechanisms' units to the report of a deadlock.
  void describe_unfinished(std::string& text, unsigned& lines, unsigned most) const {
    attached_.describe_unfinished(text, lines, most);
  }
  /// Lanes that wait for a unit continue at `at`, in the next cycle at the earliest.
  void wake_lanes(unsigned warp, LaneMask lanes, Cycle at, Cycle now) {
    progress_.wake_lanes(warp, lanes, at, now);
  }
  std::vector<SmFault>& faults() { return faults_.list(); }

  // Blocks that leave before their end and come back; between cycles.
  Preemption& preemption() { return preemption_; }
  /// Calls f(block) for each block here.
  template <class F>
  void for_each_block(F f) {
    for (const auto& block : blocks()) {
      if (block->grid != nullptr) f(*block);
    }
  }
  /// Calls f(block) for each block in which no warp can continue before wake_warp(), once for each
  /// time that this becomes so.
  template <class F>
  void for_each_stuck(F f) {
    if (progress_.endless_waits() == 0) return;
    for_each_block([&](ResidentBlock& block) {
      const bool asked = block.considered || block.presence != ResidentBlock::Presence::running;
      if (asked || !preemption_.stuck(block)) return;
      block.considered = true;
      f(block);
    });
  }

  /// Empties all caches. The SM must be empty.
  void flush_caches() {
    memory_.flush();
    frontend_.flush();
  }
  /// Nothing runs any more: adds the counts of the blocks here to their grids.
  void abandon_blocks() { residency_.abandon(); }

  /// Brings the counts up to the end of the cycle before `end`.
  void account_until(Cycle end) { accounts_.account_until(end); }

  std::uint64_t warp_instructions() const { return stats_.warp_instructions; }
  const SmStats& statistics() const { return stats_; }

  /// Throws Error unless the SM is empty and its counts add up: for tests and checking builds.
  void check_drained() const;
  LoadStore& memory() { return memory_; }
  const HostClock& host_clock() const { return host_clock_; }
  const WarpTable& warps() const { return warps_; }

 private:
  void take_event(WarpEvent event, Cycle now);
  void cycle_memory(Cycle now);
  void follow_blocks(Cycle now);
  void decide_wake(Cycle now);

  unsigned index_;
  const LaneControlKind& scheme_;
  SmClock clock_;
  SmStats& stats_;
  LaneHost lane_host_;
  WarpTable warps_;
  WarpSchedulers schedulers_;
  Scoreboard scoreboard_;
  WarpEvents events_;
  ExecuteUnits execute_;
  isa::GlobalPort global_;
  PreemptionStats& preemption_stats_;
  HostClock host_clock_;
  LoadStore memory_;
  Frontend frontend_;
  StateMover mover_;
  Operands operands_;
  FaultLog faults_;
  Charges charges_;
  IssueAccounts accounts_;
  FormedIssue formed_;
  WarpProgress progress_;
  std::unique_ptr<Subdivision> subdivision_;  // nullptr: the scheme does not subdivide
  AttachedUnits attached_;
  WriteBack results_;
  IssueStage issue_;
  Residency residency_;
  Preemption preemption_;
  // For check_slept(): values before the cycle of its wake() and of its issued instructions.
  Cycle told_ = kNever;
  std::uint64_t told_issued_ = 0;
};

}  // namespace raddle::machine
