// Branches, exits and their consequences: the instructions that change which lanes run where.
#include <bit>

#include "base/error.h"
#include "isa/global_port.h"
#include "machine/warp/spin_watch.h"
#include "machine/warp/warp.h"

namespace raddle::machine {

using isa::Instruction;
using isa::Kind;

void Warp::start(const isa::Program& program, const isa::Function& kernel, isa::BlockContext& block,
                 std::uint32_t warp_in_block, isa::GlobalPort& global,
                 const LaneControlKind& scheme, BlockBarriers& barriers, const LaneHost* host) {
  if (scheme_ != &scheme) control_ = scheme.make(values_, cursors_.data());
  scheme_ = &scheme;
  control_->set_host(host);
  barriers_ = &barriers;
  waiting_ = 0;
  apart_ = 0;
  path_ = 0;
  const std::uint32_t frame = values_.start(program, kernel, block, warp_in_block, global);
  control_->start(context().live, kernel.first, frame);
  barriers.join(*this, warp_in_block);
  if (!choose()) raddle::fail("scheduler.divergence = {}: no lane of a new warp runs", scheme.name);
}

bool Warp::choose() {
  do {
    if (!control_->choose()) return false;
    if (!any_path()) {
      raddle::fail("scheduler.divergence = {}: says that lanes run, but no path does",
                   scheme_->name);
    }
  } while (skip_where_lanes_met());
  return true;
}

/// Lanes that have met within a joint sequence may all be of one side; their paths skip segments of
/// the other side. Returns whether a path has come to its meeting point.
bool Warp::skip_where_lanes_met() {
  bool arrived = false;
  for (unsigned path = 0; path < kMostPaths; ++path) {
    Cursor& at = cursors_[path];
    if (at.next == nullptr || !at.next->of_side) continue;
    if (at.frame != values_.shown()) values_.activate(at.frame);
    skip_segments(at);
    if (at.pc != at.stop_pc) continue;
    control_->arrive(path);
    arrived = true;
  }
  return arrived;
}

Step Warp::fault(isa::Fault::Kind kind, const Instruction& i) {
  isa::WarpContext& w = context();
  w.fault.kind = kind;
  w.fault.lane =
      static_cast<std::uint8_t>(std::countr_zero(w.active != 0 ? w.active : here().lanes));
  return {Step::Then::fault, &i, w.active};
}

/// In a joint sequence, a path skips segments of a side of which it has no lane. Then its lanes did
/// not diverge at the branch, or the other lanes are on another path. Lanes that diverged within a
/// segment meet first.
void Warp::skip_segments(Cursor& at) {
  const LaneMask* const predicates = context().predicates;
  while (at.next->of_side && at.pc != at.stop_pc) {
    const LaneMask side = predicates[at.next->side] ^ (at.next->side_negated ? kAllLanes : 0);
    const LaneMask of_side = at.lanes & side;
    if (at.next->kind != Kind::branch) {
      if (of_side != 0) return;
      at.pc = at.next->reconverge;
    } else {  // branch of a segment: all or none of the lanes are of its side
      if (of_side != 0 && of_side != at.lanes) return;
      at.pc = of_side == 0 ? at.pc + 1 : at.next->target;
    }
    at.next = program().code.data() + at.pc;
  }
}

Step Warp::move_to(std::uint32_t pc, const Instruction* executed, LaneMask lanes) {
  Cursor& at = here();
  const bool behind = executed != nullptr && executed->ends_segment;
  at.pc = pc;
  at.next = program().code.data() + pc;
  if (behind) [[unlikely]]
    skip_segments(at);
  if (at.pc == at.stop_pc) return arrive(path_, executed, lanes);
  return {Step::Then::proceed, executed, lanes};
}

/// The path has come to the place where its lanes meet others.
Step Warp::arrive(unsigned path, const Instruction* executed, LaneMask lanes) {
  control_->arrive(path);
  return settle(executed, lanes);
}

/// Finds the lanes that run next. If there are none, finds what the warp waits for.
Step Warp::settle(const Instruction* executed, LaneMask lanes) {
  for (;;) {
    if (choose()) return {Step::Then::proceed, executed, lanes};
    if (control_->empty()) return {Step::Then::exited, executed, lanes};
    if (complete_syncs()) {
      if (context().fault.kind != isa::Fault::Kind::none) return sync_fault(executed, lanes);
      continue;
    }
    if (control_->let_arrived_go_on(waits_for(Wait::For::sync))) continue;
    if (control_->waits_for_block()) return {Step::Then::barrier, executed, lanes};
    if (waits_for(Wait::For::parked)) return {Step::Then::parked, executed, lanes};
    if (let_held_go_on()) continue;
    if (waits_for(Wait::For::barrier)) return {Step::Then::barrier, executed, lanes};
    context().fault = {};
    context().fault.kind = isa::Fault::Kind::deadlock;
    context().fault.lane = static_cast<std::uint8_t>(std::countr_zero(context().live));
    return {Step::Then::fault, executed, lanes};
  }
}

Step Warp::step_control(const Instruction& i) {
  switch (i.kind) {
    case Kind::branch:
      if (i.extra == isa::kJointBranch) return step_joint_branch(i);
      return i.extra == isa::kBranchTable ? step_branch_table(i) : step_branch(i);
    case Kind::call:
      return step_call(i);
    case Kind::ret:
      return step_return(i);
    case Kind::exit:
      return step_exit(i);
    case Kind::barrier:
      return step_barrier(i);
    case Kind::warp_sync:
      return step_sync(i);
    case Kind::unit:
      return step_unit(i);
    default: {  // builtin, other
      isa::WarpContext& w = context();
      const LaneMask active = w.active;
      w.event = 0;
      w.access.lanes = 0;
      if (i.kind == Kind::builtin) w.global->note_change();
      if (active != 0) i.execute(w, i);
      if (w.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
      Step step = move_to(here().pc + 1, &i, active);
      if (w.waits_until == kNever && step.then == Step::Then::proceed) {
        step.then = Step::Then::blocked;
      }
      return step;
    }
  }
}

Step Warp::step_branch(const Instruction& i) {
  const Cursor& at = here();
  const LaneMask taken = context().active, lanes = at.lanes;
  if (control_->waits_at_branches() && i.guard != isa::kTruePredicate) [[unlikely]]
    return wait_at_branch(i, taken);
  if (taken == 0) return move_to(at.pc + 1, &i, lanes);
  const bool backwards = i.target <= at.pc;
  const bool both_ways_are_one = i.target == at.pc + 1;
  if (taken == lanes || both_ways_are_one) {
    const Step step = move_to(i.target, &i, lanes);
    if (backwards) return turned_back(i, step);
    return control_->hears_forward_jumps() ? after_jump(control_->jumped_forward(path_), i, step)
                                           : step;
  }
  const BranchPath ways[2] = {{i.target, taken}, {at.pc + 1, lanes & ~taken}};
  control_->branch(path_, ways, i.reconverge);
  const Step step = settle(&i, lanes);
  return backwards ? turned_back(i, step) : step;
}

/// The block decides where lanes continue, when its other warps have come to branches.
Step Warp::wait_at_branch(const Instruction& i, LaneMask taken) {
  const Cursor& at = here();
  const LaneMask lanes = at.lanes;
  const bool backwards = i.target <= at.pc;
  BranchPath ways[2];
  unsigned count = 0;
  const LaneMask jump = i.target == at.pc + 1 ? 0 : taken;
  if (jump != 0) ways[count++] = {i.target, jump};
  if (jump != lanes) ways[count++] = {at.pc + 1, lanes & ~jump};
  control_->branch(path_, {ways, count}, i.reconverge);
  const Step step = settle(&i, lanes);
  return backwards ? turned_back(i, step) : step;
}

/// Both sides are one sequence: the lanes stay together.
Step Warp::step_joint_branch(const Instruction& i) {
  isa::WarpContext& w = context();
  const LaneMask lanes = here().lanes;
  i.execute(w, i);
  const LaneMask taken = w.predicates[i.p] & lanes;
  if (taken != 0 && taken != lanes) control_->note_joint_branch(static_cast<unsigned>(i.immediate));
  return move_to(here().pc + 1, &i, lanes);
}

/// A loop repeats while other lanes of the warp wait: they must not wait for ever.
Step Warp::turned_back(const Instruction& i, Step step) {
  if (isa::Watch* const watch = context().global->watched(); watch != nullptr) [[unlikely]] {
    static_cast<SpinWatch*>(watch)->turned_back(*this, here().pc, here().lanes);
  }
  return after_jump(control_->turned_back(path_), i, step);
}

Step Warp::after_jump(LaneControl::Turn turn, const Instruction& i, Step step) {
  switch (turn) {
    case LaneControl::Turn::go_on:
      return step;
    case LaneControl::Turn::hopeless:
      return fault(isa::Fault::Kind::deadlock, i);
    case LaneControl::Turn::changed:
      break;
  }
  return settle(&i, step.lanes);
}

Step Warp::step_branch_table(const Instruction& i) {
  const auto& table = program().branch_tables[i.target];
  const auto* index = context().source<std::uint32_t>(i.s[0]);
  const LaneMask all = here().lanes;
  BranchPath ways[kWarpSize];
  unsigned count = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (index[lane] >= table.size()) {
      context().active = LaneMask{1} << lane;
      return fault(isa::Fault::Kind::illegal_instruction, i);
    }
    const std::uint32_t target = table[index[lane]];
    unsigned n = 0;
    while (n < count && ways[n].pc != target) ++n;
    if (n == count) ways[count++] = {target, 0};
    ways[n].lanes |= LaneMask{1} << lane;
  }
  if (count == 1 && !control_->waits_at_branches()) {
    const Step step = move_to(ways[0].pc, &i, all);
    return control_->hears_forward_jumps() ? after_jump(control_->jumped_forward(path_), i, step)
                                           : step;
  }
  control_->branch(path_, {ways, count}, i.reconverge);
  return settle(&i, all);
}

Step Warp::step_exit(const Instruction& i) {
  isa::WarpContext& w = context();
  const LaneMask leaving = w.active;
  if (leaving == 0) return move_to(here().pc + 1, &i, leaving);
  w.live &= ~leaving;
  w.global->note_change();
  const std::uint32_t pc = here().pc;
  control_->exit(path_, leaving);
  // A barrier that waited for them may release other lanes of this warp, perhaps onto this path.
  const bool all_left = here().next == nullptr;
  barriers_->lanes_ended(w.warp_in_block);
  if (all_left) return settle(&i, leaving);
  return move_to(pc + 1, &i, leaving);
}

Step Warp::skip_faulting(unsigned path) {
  path_ = path;
  isa::WarpContext& w = context();
  if (here().next == nullptr) {
    w.fault = {};
    return settle(nullptr, 0);
  }
  const Instruction& i = *here().next;
  // A memory instruction that faults has done nothing yet. It is tried again with the remaining
  // lanes.
  LaneMask rest = i.kind == isa::Kind::memory ? w.active : 0;
  w.access.lanes = 0;
  while (w.fault.kind != isa::Fault::Kind::none) {
    rest &= ~(LaneMask{1} << w.fault.lane);
    w.fault = {};
    w.active = rest;
    w.access.lanes = 0;
    if (rest != 0) i.execute(w, i);
  }
  return move_to(here().pc + 1, &i, rest);
}

}  // namespace raddle::machine
