// A warp: its values, its control (where lanes are and which run next), and the step from one
// instruction to the next. The functional and the timed machine share it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "machine/warp/barrier.h"
#include "machine/warp/lane_control.h"
#include "machine/warp/values.h"

namespace raddle::machine {

/// The outcome of one step of a warp.
struct Step {
  enum class Then : std::uint8_t {
    proceed,  // the warp can continue
    barrier,  // all lanes wait at block barriers (take_released()), or for other warps
    exited,   // all lanes have ended
    fault,    // see WarpContext::fault; the warp stays at the instruction
    blocked,  // by a builtin, until WarpContext::waits_until changes
    parked,   // all its lanes wait for wake_lanes()
  } then = Then::proceed;
  const isa::Instruction* instruction = nullptr;  // nullptr: nothing was executed
  LaneMask lanes = 0;                             // the lanes that executed it
};

class Warp {
 public:
  /// Makes this a warp of `block` at the first instruction of `kernel`; the storage is reused.
  /// `scheme` and `host` (LaneControl::set_host) must outlive it.
  void start(const isa::Program& program, const isa::Function& kernel, isa::BlockContext& block,
             std::uint32_t warp_in_block, isa::GlobalPort& global, const LaneControlKind& scheme,
             BlockBarriers& barriers, const LaneHost* host = nullptr);

  /// The instruction that step(path) will execute next, nullptr when there is none; its index in
  /// Program::code; its lanes before the guard.
  const isa::Instruction* next(unsigned path = 0) const { return cursors_[path].next; }
  std::uint32_t pc(unsigned path = 0) const { return cursors_[path].pc; }
  LaneMask lanes(unsigned path = 0) const { return cursors_[path].lanes; }

  /// Executes next(path), which must exist. The caller sets context().now before.
  Step step(unsigned path = 0) {
    Cursor& at = cursors_[path];
    if (at.frame != values_.shown()) [[unlikely]]
      values_.activate(at.frame);
    const isa::Instruction& i = *at.next;
    isa::WarpContext& w = values_.context();
    const LaneMask active = isa::guarded(i, w.predicates, at.lanes);
    w.active = active;
    if (i.kind == isa::Kind::compute) {
      if (active != 0) i.execute(w, i);
    } else if (i.kind == isa::Kind::memory) {
      w.access.lanes = 0;
      if (active != 0) i.execute(w, i);
      values_.saw_synchronization |= w.access.observed;
      if (w.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
    } else {
      path_ = path;
      return step_control(i);
    }
    at.pc = at.pc + 1;
    at.next = &i + 1;
    if (i.ends_segment) [[unlikely]]
      skip_segments(at);
    if (at.pc == at.stop_pc) [[unlikely]]
      return arrive(path, &i, w.active);
    return {Step::Then::proceed, &i, w.active};
  }

  /// For instructions that a unit executes instead of step(). Makes the context show the path's
  /// registers and the lanes of its next instruction. Returns these lanes.
  LaneMask show(unsigned path) {
    const Cursor& at = cursors_[path];
    if (at.frame != values_.shown()) values_.activate(at.frame);
    isa::WarpContext& w = values_.context();
    return w.active = isa::guarded(*at.next, w.predicates, at.lanes);
  }
  /// The path moves past its next instruction, which `executed` of its lanes have executed.
  Step pass(unsigned path, LaneMask executed) {
    path_ = path;
    return move_to(here().pc + 1, here().next, executed);
  }
  /// Where the registers of the path's function are, for later results.
  struct Place {
    std::uint32_t rows = 0, predicates = 0;
  };
  Place registers(unsigned path) const {
    const WarpValues::Frame& frame = values_.frame(cursors_[path].frame);
    return {frame.rows, frame.predicates};
  }
  std::byte* rows_at(Place place) { return values_.row(place.rows); }
  LaneMask* predicates_at(Place place) { return values_.predicate(place.predicates); }

  /// Skips an instruction of the path that faulted (--keep-going). Lanes with a faulting memory
  /// access do not take part in it; any other instruction has no effect. Clears the fault.
  Step skip_faulting(unsigned path = 0);

  /// Makes lanes of a path wait at its next instruction until they are woken; the others continue.
  /// The returned step says how the warp continues.
  Step park_lanes(unsigned path, LaneMask lanes);
  /// Parked lanes can continue. True when no lane of the warp could run before, and one can now.
  bool wake_lanes(LaneMask lanes);
  /// Parked lanes that wait at a path's next instruction, in the same activation of its function,
  /// join the path. Returns them.
  LaneMask join_parked(unsigned path);
  /// All parked lanes.
  LaneMask parked_lanes() const;

  /// See LaneControl.
  void set_host(const LaneHost& host) { control_->set_host(&host); }
  std::uint32_t take_changed_in_block() { return control_->take_changed_in_block(); }
  void rechoose() {
    do {
      control_->rechoose();
    } while (skip_where_lanes_met());
  }
  std::uint32_t group(unsigned path) const { return control_->group(path); }
  bool lacks_parts(unsigned path) const { return control_->lacks_parts(path); }
  /// LaneControl::stalled() and subdivide().
  void stalled(unsigned path) { control_->stalled(path); }
  unsigned subdivide(unsigned path, LaneMask lanes) { return control_->subdivide(path, lanes); }

  /// Some path has a next instruction.
  bool runs() const { return any_path(); }
  bool finished() const { return values_.context().live == 0; }
  isa::WarpContext& context() { return values_.context(); }
  const isa::WarpContext& context() const { return values_.context(); }
  const isa::Program& program() const { return values_.program(); }

  /// A hash of everything that decides what the warp does next, except the values it reads of
  /// others.
  std::uint64_t state_hash() const;
  /// Whether only lanes in `repeating` can run, and those repeat themselves for ever. All other
  /// lanes wait for lanes, or at barriers.
  bool waits_for_ever(LaneMask repeating) const;

  /// Size of the state that is saved when the warp leaves its multiprocessor, in bytes.
  std::uint64_t state_bytes() const { return values_.state_bytes() + control_->state_bytes(); }
  /// Bit p: path p has been loaded with another split or pc since the last call.
  std::uint8_t take_changed_paths() { return control_->take_changed(); }

  /// For reports: a line for each group of lanes, with their place and what they wait for. `doing`
  /// is the text for lanes that wait for no other lanes.
  std::string why_waiting(const char* doing = " could go on") const;
  /// How often lanes that a split kept from running were forced to have their turn.
  std::uint64_t forced_turns() const { return control_->forced_turns(); }

  /// For BlockBarriers: lanes at `barrier` continue. True when the whole warp had been waiting.
  bool release_barrier(unsigned barrier, const BlockBarriers& result);

 private:
  /// A split that waits for a reason outside its scheme.
  struct Wait {
    /// held: waits until the warp comes to the barrier as a whole, since some of its lanes are
    /// parked or were parted at that time.
    enum class For : std::uint8_t { barrier, sync, parked, held } what = For::barrier;
    std::uint8_t barrier = 0;
    LaneMask sync_mask = 0;  // lanes that must arrive
    LaneMask lanes = 0;
    std::uint32_t pc = 0, frame = 0;
  };

  // step.cpp: instructions that are neither compute nor memory. All functions work on path_.
  Cursor& here() { return cursors_[path_]; }
  Step step_control(const isa::Instruction& i);
  Step step_branch(const isa::Instruction& i);
  Step step_joint_branch(const isa::Instruction& i);
  Step step_branch_table(const isa::Instruction& i);
  Step wait_at_branch(const isa::Instruction& i, LaneMask taken);
  Step turned_back(const isa::Instruction& i, Step step);
  Step after_jump(LaneControl::Turn turn, const isa::Instruction& i, Step step);
  Step step_unit(const isa::Instruction& i);
  Step step_exit(const isa::Instruction& i);
  Step fault(isa::Fault::Kind kind, const isa::Instruction& i);
  void skip_segments(Cursor& at);
  bool skip_where_lanes_met();
  Step move_to(std::uint32_t pc, const isa::Instruction* executed, LaneMask lanes);
  Step arrive(unsigned path, const isa::Instruction* executed, LaneMask lanes);
  Step settle(const isa::Instruction* executed, LaneMask lanes);
  bool choose();

  // calls.cpp
  Step step_call(const isa::Instruction& i);
  Step step_return(const isa::Instruction& i);
  bool enter_function(std::uint32_t function, std::uint32_t call);

  // waits.cpp
  Step step_barrier(const isa::Instruction& i);
  Step step_sync(const isa::Instruction& i);
  void wait(Wait wait);
  void keep_wait(std::uint8_t split, const Wait& wait);
  void go_on(std::uint8_t split, std::uint32_t pc);
  bool waits_for(Wait::For what) const;
  static bool meet(const Wait& one, const Wait& other);
  bool complete_syncs();
  bool let_held_go_on();
  LaneMask join_waiting(unsigned path, Wait::For what);
  void hold_at_barrier(std::uint8_t barrier);
  std::uint64_t run_sync_group(unsigned first, std::uint64_t meeting);
  Step sync_fault(const isa::Instruction* executed, LaneMask lanes);
  void deliver_reduction(const isa::Instruction& i, LaneMask lanes, const BlockBarriers& result);
  bool any_path() const;
  /// `unit`: the unit for which this split, or lanes of its warp, wait.
  std::string wait_text(const Wait& wait, const std::string& unit) const;  // why_waiting.cpp

  std::array<Cursor, kMostPaths> cursors_;
  WarpValues values_;
  unsigned path_ = 0;  // the path that is being stepped
  const LaneControlKind* scheme_ = nullptr;
  std::unique_ptr<LaneControl> control_;
  BlockBarriers* barriers_ = nullptr;
  std::uint64_t waiting_ = 0;  // bit s: split s waits
  LaneMask apart_ = 0;         // lanes that parted at a parking; no barrier since
  std::vector<Wait> waits_;    // [split]; allocated at the first wait
};

}  // namespace raddle::machine
