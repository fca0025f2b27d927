// Lanes that wait: at barriers of the block, for other lanes of the warp, for units.
#include <algorithm>
#include <bit>
#include <utility>

#include "isa/barrier_operation.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "machine/warp/warp.h"

namespace raddle::machine {

using isa::Instruction;

/// The lanes of the running path wait at its instruction.
void Warp::wait(Wait wait) {
  const Cursor& at = here();
  wait.lanes = at.lanes;
  wait.pc = at.pc;
  wait.frame = at.frame;
  keep_wait(control_->block(path_), wait);
}

void Warp::keep_wait(std::uint8_t split, const Wait& wait) {
  if (waits_.empty()) waits_.resize(LaneControl::kMostSplits);
  waits_[split] = wait;
  waiting_ |= std::uint64_t{1} << split;
}

void Warp::go_on(std::uint8_t split, std::uint32_t pc) {
  waiting_ &= ~(std::uint64_t{1} << split);
  control_->unblock(split, pc);
}

bool Warp::waits_for(Wait::For what) const {
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    if (waits_[static_cast<unsigned>(std::countr_zero(rest))].what == what) return true;
  }
  return false;
}

bool Warp::any_path() const {
  return std::any_of(cursors_.begin(), cursors_.begin() + scheme_->paths,
                     [](const Cursor& cursor) { return cursor.next != nullptr; });
}

Step Warp::step_barrier(const Instruction& i) {
  isa::WarpContext& w = context();
  const LaneMask active = w.active, lanes = here().lanes;
  const std::uint32_t pc = here().pc;
  if (active == 0) return move_to(pc + 1, &i, active);
  const auto lane = static_cast<unsigned>(std::countr_zero(active));
  const std::uint32_t number = w.source<std::uint32_t>(i.s[0])[lane];
  const bool written = (i.s[0] & isa::kConstantBit) != 0;  // and checked at load time
  if (!written && number >= isa::kClusterBarrier) {
    return fault(isa::Fault::Kind::illegal_instruction, i);
  }
  const auto operation = static_cast<isa::BarrierOperation>(i.extra);
  w.global->note_change();
  BlockBarriers::Arrival arrival;
  arrival.barrier = static_cast<std::uint8_t>(number);
  arrival.waits = operation != isa::BarrierOperation::arrive;
  arrival.threads = w.source<std::uint32_t>(i.s[1])[lane];
  arrival.lanes = active;
  arrival.true_lanes = isa::source_predicate(w, i) & active;
  if (!arrival.waits) {
    barriers_->arrive(w.warp_in_block, arrival);
    return move_to(pc + 1, &i, active);
  }
  if (active != lanes) {
    // Lanes that are guarded off do not wait: they continue behind the barrier.
    const BranchPath ways[2] = {{pc, active}, {pc + 1, lanes & ~active}};
    control_->branch(path_, ways, isa::kNoReconvergence);
    return settle(&i, 0);
  }
  apart_ &= w.live & ~lanes;
  if (scheme_->whole_warps_at_barriers && (apart_ != 0 || waits_for(Wait::For::parked))) {
    wait({.what = Wait::For::held});
    return settle(nullptr, 0);
  }
  // Lanes that were held here come to the barrier together with these lanes, as if no lane had been
  // parked.
  if (scheme_->whole_warps_at_barriers && join_waiting(path_, Wait::For::held) != 0) {
    return {Step::Then::proceed, nullptr, 0};
  }
  if (scheme_->whole_warps_at_barriers) hold_at_barrier(arrival.barrier);
  if (barriers_->arrive(w.warp_in_block, arrival)) {
    w.global->yield();
    deliver_reduction(i, active, *barriers_);
    return move_to(pc + 1, &i, active);
  }
  Wait wait;
  wait.what = Wait::For::barrier;
  wait.barrier = arrival.barrier;
  this->wait(wait);
  if (!scheme_->whole_warps_at_barriers) return settle(&i, active);
  control_->pause();  // before Volta the warp waits as a whole
  return {Step::Then::barrier, &i, active};
}

/// The warp has come to the barrier as a whole, with its lanes that were held at a barrier.
void Warp::hold_at_barrier(std::uint8_t barrier) {
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    Wait& wait = waits_[static_cast<unsigned>(std::countr_zero(rest))];
    if (wait.what != Wait::For::held) continue;
    wait.what = Wait::For::barrier;
    wait.barrier = barrier;
  }
}

/// No lane of the warp is parked any more, and no other lane can run: the first group of held lanes
/// comes to its barrier, and waits for no other lane. False: no lanes are held.
bool Warp::let_held_go_on() {
  apart_ = 0;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
    if (waits_[split].what != Wait::For::held) continue;
    go_on(split, waits_[split].pc);
    return true;
  }
  return false;
}

void Warp::deliver_reduction(const Instruction& i, LaneMask lanes, const BlockBarriers& result) {
  isa::WarpContext& w = context();
  const auto operation = static_cast<isa::BarrierOperation>(i.extra);
  w.active = lanes;
  switch (operation) {
    case isa::BarrierOperation::count_true: {
      auto* d = w.destination<std::uint32_t>(i.d);
      for (unsigned l = 0; l < kWarpSize; ++l) {
        if (isa::lane_in(lanes, l)) d[l] = result.true_threads();
      }
      break;
    }
    case isa::BarrierOperation::all_true: {
      const bool all = result.true_threads() == result.arrived_threads();
      isa::store_predicate(w, i.p, all ? kAllLanes : 0);
      break;
    }
    case isa::BarrierOperation::any_true:
      isa::store_predicate(w, i.p, result.true_threads() != 0 ? kAllLanes : 0);
      break;
    default:
      break;
  }
}

bool Warp::release_barrier(unsigned barrier, const BlockBarriers& result) {
  const bool whole = !any_path();
  const std::uint32_t shown = values_.shown();
  bool any = false;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
    const Wait& wait = waits_[split];
    if (wait.what != Wait::For::barrier || wait.barrier != barrier) continue;
    values_.activate(wait.frame);
    deliver_reduction(program().code[wait.pc], wait.lanes, result);
    go_on(split, wait.pc + 1);
    any = true;
  }
  if (!any) return false;
  if (whole) return choose();
  values_.activate(shown);
  return scheme_->paths > 1 && choose();
}

Step Warp::step_sync(const Instruction& i) {
  isa::WarpContext& w = context();
  const LaneMask active = w.active;
  if (active == 0) return move_to(here().pc + 1, &i, active);
  const auto* masks = w.source<std::uint32_t>(i.s[3]);
  LaneMask named = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) named |= isa::lane_in(active, l) ? masks[l] : 0;
  if ((named & w.live & ~here().lanes) == 0) {
    i.execute(w, i);
    if (w.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
    return move_to(here().pc + 1, &i, active);
  }
  Wait wait;
  wait.what = Wait::For::sync;
  wait.sync_mask = named & w.live;
  this->wait(wait);
  complete_syncs();
  if (w.fault.kind != isa::Fault::Kind::none) return sync_fault(&i, active);
  return settle(&i, active);
}

/// An instruction that lanes executed together has faulted. The lanes are ready to continue behind
/// it.
Step Warp::sync_fault(const Instruction* executed, LaneMask lanes) {
  control_->pause();
  return {Step::Then::fault, executed, lanes};
}

/// Whether lanes wait for one another. Lanes that wait for none of the others wait elsewhere, and
/// will continue without them.
bool Warp::meet(const Wait& one, const Wait& other) {
  return other.what == Wait::For::sync && (other.sync_mask & one.lanes) != 0 &&
         (one.sync_mask & other.lanes) != 0;
}

/// Lanes whose partners have all arrived execute their waiting instruction, and so do the partners,
/// each group its own instruction. True when there were such lanes.
bool Warp::complete_syncs() {
  bool any = false;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(rest));
    const bool still = (waiting_ >> index & 1) != 0;
    if (!still || waits_[index].what != Wait::For::sync) continue;
    LaneMask come = 0;
    std::uint64_t meeting = 0;
    for (std::uint64_t others = waiting_; others != 0; others &= others - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(others));
      if (!meet(waits_[index], waits_[other])) continue;
      come |= waits_[other].lanes;
      meeting |= std::uint64_t{1} << other;
    }
    if ((waits_[index].sync_mask & context().live & ~come) != 0) continue;
    any = true;
    context().global->note_change();
    while (meeting != 0) {
      meeting &= ~run_sync_group(static_cast<unsigned>(std::countr_zero(meeting)), meeting);
      if (context().fault.kind != isa::Fault::Kind::none) return true;
    }
  }
  return any;
}

/// Splits of `meeting` that wait at the instruction of `first`, in the same activation of its
/// function, execute it together. Returns them.
std::uint64_t Warp::run_sync_group(unsigned first, std::uint64_t meeting) {
  const Wait leader = waits_[first];
  const std::uint32_t rows = values_.frame(leader.frame).rows;
  LaneMask together = 0;
  std::uint64_t group = 0;
  for (std::uint64_t rest = meeting; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(rest));
    const Wait& other = waits_[index];
    if (other.pc != leader.pc || values_.frame(other.frame).rows != rows) continue;
    together |= other.lanes;
    group |= std::uint64_t{1} << index;
  }
  values_.activate(leader.frame);
  const Instruction& i = program().code[leader.pc];
  isa::WarpContext& w = context();
  w.active = isa::guarded(i, w.predicates, together);
  i.execute(w, i);
  for (std::uint64_t rest = group; rest != 0; rest &= rest - 1) {
    go_on(static_cast<std::uint8_t>(std::countr_zero(rest)), leader.pc + 1);
  }
  return group;
}

Step Warp::park_lanes(unsigned path, LaneMask lanes) {
  path_ = path;
  const Cursor& at = here();
  if (lanes == at.lanes) {
    wait({.what = Wait::For::parked});
    return settle(nullptr, 0);
  }
  apart_ |= at.lanes;
  const Wait wait{.what = Wait::For::parked, .lanes = lanes, .pc = at.pc, .frame = at.frame};
  keep_wait(control_->block_some(path, lanes), wait);
  return {Step::Then::proceed, nullptr, 0};
}

/// Without timing, a unit's instruction is executed at once. Lanes that it has put into
/// WarpContext::event wait, and execute the instruction again when they are woken.
Step Warp::step_unit(const Instruction& i) {
  isa::WarpContext& w = context();
  const LaneMask active = w.active;
  w.event = 0;
  w.access.lanes = 0;
  if (active != 0) i.execute(w, i);
  if (w.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
  const LaneMask waiting = static_cast<LaneMask>(std::exchange(w.event, 0)) & active;
  if (waiting != 0) {
    const bool all = waiting == here().lanes;
    const Step step = park_lanes(path_, waiting);
    if (all) return step;
  }
  return move_to(here().pc + 1, &i, active & ~waiting);
}

bool Warp::wake_lanes(LaneMask lanes) {
  const bool whole = !any_path();
  bool any = false;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
    Wait& wait = waits_[split];
    const LaneMask woken = wait.lanes & lanes;
    if (wait.what != Wait::For::parked || woken == 0) continue;
    any = true;
    apart_ |= wait.lanes;
    if (woken == wait.lanes) {
      go_on(split, wait.pc);
    } else {
      wait.lanes &= ~woken;
      control_->unblock_some(split, woken, wait.pc);
    }
  }
  if (!any || (!whole && scheme_->paths == 1)) return false;
  return control_->choose() && whole;
}

LaneMask Warp::join_parked(unsigned path) { return join_waiting(path, Wait::For::parked); }

LaneMask Warp::join_waiting(unsigned path, Wait::For what) {
  const Cursor& at = cursors_[path];
  const LaneMask before = at.lanes;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
    const Wait& wait = waits_[split];
    if (wait.what != what || wait.pc != at.pc || wait.frame != at.frame) continue;
    if (control_->join(path, split)) waiting_ &= ~(std::uint64_t{1} << split);
  }
  const LaneMask joined = at.lanes & ~before;
  if ((apart_ & before) != 0) apart_ |= joined;
  return joined;
}

LaneMask Warp::parked_lanes() const {
  LaneMask lanes = 0;
  for (std::uint64_t rest = waiting_; rest != 0; rest &= rest - 1) {
    const Wait& wait = waits_[static_cast<unsigned>(std::countr_zero(rest))];
    if (wait.what == Wait::For::parked) lanes |= wait.lanes;
  }
  return lanes;
}

}  // namespace raddle::machine
