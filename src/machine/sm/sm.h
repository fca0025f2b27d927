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
#include "machine/frontend/frontend.h"
#include "machine/host_clock.h"
#include "machine/load_store/load_store.h"
#include "machine/observer.h"
#include "machine/operands/operands.h"
#include "machine/profile.h"
#include "machine/reconvergence/formation.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/preemption_stats.h"
#include "machine/sm/resident_block.h"
#include "machine/sm/state_mover.h"
#include "machine/sm/stats.h"
#include "machine/sm_fault.h"
#include "machine/warp/warp.h"
#include "machine/warp_event.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

class MessageEndpoint;
class SmPort;
class SmUnit;

class Sm {
 public:
  /// `services`: what printing and allocating kernels call; used by apply_global_writes() alone.
  /// `wake`: where wake() is kept, in a table that is scanned each cycle.
  /// `contexts`: where blocks that leave have their state; used between cycles alone.
  Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space, isa::Services& services,
     ContextMemory& contexts, StatGroup& statistics, Cycle& wake);
  ~Sm();

  /// Adds the unit that `make` makes, which executes instructions with this number in
  /// isa::Instruction::unit; false when it makes none. Before the first block. `clock`: the cycle, also while the SM sleeps.
  using MakeUnit = std::function<std::unique_ptr<SmUnit>(SmPort&)>;
  bool add_unit(unsigned number, const Cycle& clock, MessageEndpoint* messages,
                const MakeUnit& make);

  // Dispatch, between cycles.
  bool has_room(const BlockNeeds& needs) const;
  const BlockNeeds& room() const { return free_; }
  unsigned free_blocks() const { return free_blocks_; }
  /// [slot]; vacant ones have no grid.
  const std::vector<std::unique_ptr<ResidentBlock>>& blocks() const { return blocks_; }
  /// Puts a block of `grid` on this SM at the end of cycle `now`; has_room() was true.
  /// `context`: the grid's own, or that of a group of blocks coalesced onto it.
  const ResidentBlock& place(Grid& grid, const isa::GridContext& context, const Dim3& index,
                             Cycle now);

  /// The first cycle in which cycle() does anything; kNever when only the memory side can wake it.
  Cycle wake() const { return wake_; }
  /// From outside comes something to do at `at`, or perhaps comes.
  void rouse(Cycle at) { wake_ = std::min(wake_, at); }
  /// One SM cycle. Cycles since the last call count as stalled for the reasons that then held.
  void cycle(Cycle now);

  // Tools (machine/observer.h, machine/profile.h); they must outlive the SM's work.
  void observe(Observer& observer) { observer_ = &observer; }
  void profile(Profile& profile) {
    profile_ = &profile;
    charges_ = true;
  }
  /// ResidentBlock::counts are counted from now on; gather_counts() brings them up to date.
  void count_blocks();
  void gather_counts(ResidentBlock& block);

  // After the cycle, one SM after the other; only when concerned().
  bool concerned() const {
    return port_.pending() || !faults_.empty() || blocks_to_retire_ != 0 || endless_waits_ != 0 ||
           (!units_attached_.empty() && units_ask_commit());
  }
  /// Carries out the writes and atomics to global memory that this cycle issued.
  void apply_global_writes() {
    port_.apply();
    if (!units_attached_.empty()) [[unlikely]]
      commit_units();
    if (!port_.late_faults().empty()) [[unlikely]]
      take_late_faults();
  }
  /// Frees blocks whose warps have all ended and tells their grids, and `ended`, which is called
  /// before the block's memory is used again. True when there were any.
  using BlockEnded = std::function<void(ResidentBlock&)>;
  bool retire_blocks(Cycle now, const BlockEnded& ended);
  /// WarpContext::waits_until of a warp here has changed, after cycle() and before the next.
  void wake_warp(const isa::WarpContext& warp, Cycle now);

  // units.cpp
  /// All blocks of the grid have ended, here and elsewhere: tells the units.
  void grid_ends(const Grid& grid, Cycle now);
  /// Lanes that wait for a unit go on at `at`, in the next cycle at the earliest.
  void wake_lanes(unsigned warp, LaneMask lanes, Cycle at, Cycle now);
  /// Of a warp that leaves before its end: whether nothing of it is under way in units; they have
  /// so many bytes of its state; they forget its lanes that wait (all of which are to be woken
  /// where it goes on).
  bool units_drained(unsigned warp) const;
  std::uint64_t unit_state_bytes(unsigned warp) const;
  void leave_units(unsigned warp);

  std::vector<SmFault>& faults() { return faults_; }

  // preemption.cpp: blocks that leave before their end and come back; between cycles.
  /// A block away from its SM, with its warps.
  struct Swapped;
  /// f(block) for each block here.
  template <class F>
  void for_each_block(F f) {
    for (const auto& block : blocks_) {
      if (block->grid != nullptr) f(*block);
    }
  }
  /// f(block) for each block that no warp of which can go on before wake_warp(), and that f has not
  /// been called for since that was so.
  template <class F>
  void for_each_stuck(F f) {
    if (endless_waits_ == 0) return;
    for_each_block([&](ResidentBlock& block) {
      const bool asked = block.considered || block.presence != ResidentBlock::Presence::running;
      if (asked || !stuck(block)) return;
      block.considered = true;
      f(block);
    });
  }
  /// Whether the block can be asked to leave: it is not about to end, leave or come.
  bool can_leave(const ResidentBlock& block) const;
  /// Its warps issue nothing more from now on. Unless `forced`, wake_warp() brings them back to work.
  void stop_block(ResidentBlock& block, bool forced, Cycle now);
  /// Nothing of it is under way.
  bool drained(const ResidentBlock& block) const;
  /// Begins to store the state of a drained block.
  void save(ResidentBlock& block, Cycle now);
  bool saved(const ResidentBlock& block) const { return mover_.done(block.transfer); }
  /// Takes a saved block away.
  std::unique_ptr<Swapped> swap_out(ResidentBlock& block, Cycle now);
  /// Brings it back, to a place for which has_room() was true; its warps go on when its state has
  /// been loaded.
  const ResidentBlock& swap_in(std::unique_ptr<Swapped> swapped, Cycle now);

  /// Nothing runs any more: tells the grids what their blocks here have executed.
  void abandon_blocks();

  /// Brings the counts up to the end of the cycle before `end`.
  void account_until(Cycle end);

  std::uint64_t warp_instructions() const { return stats_.warp_instructions; }
  const SmStats& statistics() const { return stats_; }

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
  /// What each path of a warp slot is about. What concerns the warp as a whole (vacant, barrier,
  /// ending ...) is the state of its path 0.
  enum class State : std::uint8_t {
    vacant,
    idle,            // the warp is elsewhere: nothing runs on this path
    ready,           // its next instruction has its operands
    execution,       // waits for an arithmetic result
    memory,          // waits for a memory result
    no_instruction,  // its next instruction is not in its buffer
    fetch,           // waits for its start or for a branch
    barrier,
    fence,      // until its accesses are acknowledged
    runtime,    // waits for a call of the device runtime
    parked,     // until a unit wakes its lanes (units.cpp)
    asleep,     // nanosleep; or no split of it can run yet
    preempted,  // of a block that leaves, or whose state is being restored
    ending,     // has exited, with accesses or results under way
    ended,      // waits for the other warps of its block
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
      {State::parked, Slot::unit},
      {State::asleep, Slot::asleep},
      {State::preempted, Slot::preempted}};
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::count_);

  struct PathSlot {
    State state = State::idle;
    Cycle until = 0;                // a wait: when it may go on; kNever: nobody knows
    std::uint32_t last_issued = 0;  // code position; while there is a profile
  };
  struct WarpSlot {
    Warp warp;
    ResidentBlock* block = nullptr;
    const isa::Program* program = nullptr;
    std::array<PathSlot, kMostPaths> paths;
    std::array<PathSlot, kMostPaths> before;  // preempted: where they go on; asleep: `until` counts
                                              // from when they do
    CodeCounts* counts = nullptr;             // while there is a profile
    WarpSlot() { paths[0].state = State::vacant; }
    State state() const { return paths[0].state; }
  };
  WarpSlot& slot_of(PathId id) { return *slots_[warp_of(id)]; }
  PathSlot& path_slot(PathId id) { return slots_[warp_of(id)]->paths[path_of(id)]; }

  /// Warps of which a path is in this state.
  WarpMask in(State state) const { return masks_[static_cast<std::size_t>(state)]; }
  void enter(PathId id, State state);
  void enter_whole(unsigned warp, State state);
  template <class F>
  void for_each_path(unsigned warp, F f) {
    for (unsigned path = 0; path < paths_; ++path) f(path_id(warp, path));
  }
  bool stuck(const ResidentBlock& block) const;
  bool drained(unsigned warp) const;
  /// Until wake_warp().
  void wait_endlessly(PathId id) {
    path_slot(id).until = kNever;
    enter(id, State::runtime);
    ++endless_waits_;
  }
  bool waits_endlessly(PathId id) {
    return path_slot(id).state == State::runtime && path_slot(id).until == kNever;
  }
  void stop_warp(unsigned warp, Cycle now);
  void resume_block(ResidentBlock& block, Cycle now);
  void resume_path(PathId id, const PathSlot& before, Cycle now);
  void resume_restored(Cycle now);
  void enter_presence(ResidentBlock& block, ResidentBlock::Presence presence, Cycle at);
  std::uint64_t state_bytes(const ResidentBlock& block) const;
  unsigned take_slot(ResidentBlock& block, std::unique_ptr<WarpSlot> warp);
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
  void memory_completed(PathId id, std::uint32_t code, Cycle now);
  void look_at_next(PathId id, Cycle now);
  bool waits_for_call(PathId id, Cycle now);
  void wait_until(PathId id, State state, Cycle until, Cycle now);
  void wake_path(PathId id, Cycle now);
  static bool waits_for_event(State state);
  unsigned start_changed_paths(unsigned warp, Cycle until, Cycle now);
  void reconsider(PathId id, Cycle now);
  void reconsider_path(PathId id, Cycle now);

  // formed_issue.cpp
  void find_companions(PathId leader);
  void issue_formed(PathId leader, unsigned scheduler, Cycle now);
  void join_accesses(std::span<const Step> steps);
  bool issue_joint(PathId id, std::uint32_t code, LoadStore::Cost& cost);
  bool joint_completed(PathId id, std::uint32_t code, Cycle now);

  void schedule(unsigned scheduler, Cycle now);
  static constexpr unsigned kNoPath = kMostPaths;
  unsigned path_to_issue(unsigned warp, unsigned scheduler, Cycle now);
  bool can_issue(PathId id, unsigned scheduler, Cycle now);
  void issue_from(PathId id, unsigned scheduler, Cycle now);
  void issue(PathId id, unsigned scheduler, Cycle now);
  Step execute(Warp& warp, unsigned path);
  void after_step(PathId id, const Step& step, Cycle delay, Cycle now);
  bool follow_paths(PathId id, const Step& step, Cycle delay, Cycle now);
  void track_result(PathId id, const isa::Instruction& instruction, Cycle delay, Cycle now);
  // units.cpp
  class UnitPort;
  void make_texture_unit(const GpuConfig& config);
  bool unit_can_issue(const isa::Instruction& instruction, Cycle now) const;
  bool collects_operands(const isa::Instruction& instruction) const;
  void issue_to_unit(PathId id, unsigned scheduler, Cycle now);
  void cycle_units(Cycle now);
  Cycle units_wake() const;
  bool units_ask_commit() const;
  void commit_units();
  void tell_units_of_end(const isa::BlockContext& block, Cycle now);
  bool units_empty() const;
  void tell_watchers(PathId id, std::uint32_t code, Cycle now);

  void count_step(WarpSlot& slot, const Step& step);
  void fault(PathId id, Cycle now);
  SmFault fault_of(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code) const;
  void add_fault(const WarpSlot& slot, const isa::Fault& fault, std::uint32_t code);
  void take_late_faults();
  void sleep(PathId id, Cycle now);
  void arrive_at_barrier(unsigned warp, Cycle now);
  void release_barriers(ResidentBlock& block, Cycle now);
  void end_warp(unsigned warp, Cycle now);
  void finish_ending(unsigned warp);

  Slot stalled(WarpMask owned) const;
  void count_slots(Slot reason, WarpMask owned, Cycle cycles);

  // profiling.cpp
  void begin_counts(ResidentBlock& block);
  void charge_stall(Slot reason, WarpMask owned, Cycle cycles);
  void charge_issue(WarpSlot& slot, unsigned path);
  void charge_step(WarpSlot& slot, unsigned path, const Step& step);
  void charge_access(WarpSlot& slot, std::uint32_t code, LoadStore::Cost cost);
  void decide_wake(Cycle now);

  unsigned index_;
  ContextMemory& contexts_;
  const LaneControlKind& scheme_;
  unsigned paths_;                        // that a warp has
  std::unique_ptr<Formation> formation_;  // nullptr: every path issues by itself
  unsigned dispatch_width_, block_latency_;
  double ns_per_cycle_;
  bool keep_going_;

  /// A memory access that several paths wait for.
  struct Joint {
    std::uint32_t code = 0;
    unsigned size = 0;
    std::array<PathId, kWarpSize> paths{};
  };
  std::vector<ReadyPath> companions_;
  IssueGroup group_;                 // that is being issued
  Cycle group_written_ = kNever;     // when its result is written, once that is booked
  std::uint32_t joint_members_ = 0;  // a bit for each of its paths
  std::vector<Joint> joints_;

  std::vector<std::unique_ptr<WarpSlot>> slots_;
  std::array<WarpMask, kStates> masks_{};
  /// Ready warps whose next instruction goes to the load-store unit, or does not go through the
  /// operand collectors; none where warps have several paths.
  WarpMask uses_load_store_ = 0, past_collectors_ = 0;
  WarpAges ages_{};
  std::uint64_t warps_placed_ = 0;

  std::vector<std::unique_ptr<ResidentBlock>> blocks_;
  BlockNeeds all_, free_;  // what there is, and what of it is not taken
  unsigned free_blocks_;
  GridId newest_grid_ = 0;
  unsigned resident_ = 0;  // warps of resident blocks
  unsigned blocks_to_retire_ = 0;
  unsigned endless_waits_ = 0;  // paths that wait until they are woken
  unsigned restoring_ = 0;      // blocks
  std::uint64_t retired_ = 0;   // instructions of blocks that have ended

  std::vector<WarpScheduler> schedulers_;
  Scoreboard scoreboard_;
  WarpEvents events_;
  ExecuteUnits units_;
  isa::GlobalPort port_;
  SmStats& stats_;
  PreemptionStats& preemption_stats_;
  HostClock host_clock_;
  LoadStore memory_;
  Frontend frontend_;
  StateMover mover_;
  Operands operands_;
  std::unique_ptr<UnitPort> texture_;
  std::vector<std::unique_ptr<UnitPort>> units_attached_;  // with a clock of their own
  std::vector<UnitPort*> unit_by_number_;                  // isa::Instruction::unit
  std::vector<UnitPort*> watchers_;                        // SmUnit::watches_accesses()
  std::array<std::uint32_t, kMaxWarps> unit_results_{};    // of each warp, under way
  bool in_cycle_ = false;                                  // the SM's own phase
  std::vector<SmFault> faults_;
  Observer* observer_ = nullptr;
  Profile* profile_ = nullptr;
  bool counts_blocks_ = false;
  bool charges_ = false;  // either: the charge_ functions have something to do

  Cycle& wake_;
  Cycle accounted_ = 0;  // the counts hold for all cycles before it
};

struct Sm::Swapped {
  std::unique_ptr<ResidentBlock> block;
  std::vector<std::unique_ptr<WarpSlot>> warps;
  std::vector<std::uint32_t> stretches;  // [warp]: of local memory
  /// All its warps that have not ended wait to be woken, or for those that do.
  bool waits() const;
};

}  // namespace raddle::machine
