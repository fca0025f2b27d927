// Branches, exits, barriers: the instructions that change which lanes run where.
#include <bit>

#include "isa/barrier_operation.h"
#include "isa/semantics/lanes.h"
#include "machine/warp/warp.h"

namespace raddle::machine {

using isa::Instruction;
using isa::Kind;

void Warp::start(const isa::Program& program, const isa::Function& kernel, isa::BlockContext& block,
                 std::uint32_t warp_in_block, isa::GlobalPort& global, Divergence divergence,
                 BlockBarriers& barriers) {
  program_ = &program;
  barriers_ = &barriers;
  divergence_ = divergence;
  context_.block = &block;
  context_.global = &global;
  context_.warp_in_block = context_.slot = warp_in_block;
  context_.carry = 0;
  context_.fault = {};
  context_.event = 0;
  context_.waits_until = 0;
  context_.access.lanes = 0;
  for (auto& top : context_.alloca_top) top = block.local_bytes_per_thread;
  const std::uint32_t first = warp_in_block * kWarpSize;
  const std::uint32_t threads = block.threads - first;
  const LaneMask lanes = threads >= kWarpSize ? kAllLanes : (LaneMask{1} << threads) - 1;
  context_.live = lanes;
  used_ = ready_ = 0;
  born_ = 0;
  run_length_ = 0;
  saw_synchronization_ = false;
  current_ = kNoSplit;
  frames_.clear();
  free_frames_.clear();
  for (auto& at_depth : places_) at_depth.clear();
  rows_used_ = kernel.rows;
  predicates_used_ = kernel.predicates;
  storage_.clear(kernel.rows, kernel.predicates);
  const std::uint32_t frame = new_frame();
  frames_[frame].function = static_cast<std::uint32_t>(&kernel - program.functions.data());
  storage_.predicate(0)[isa::kTruePredicate] = kAllLanes;
  new_split(lanes, kernel.first, kNoSplit, isa::kNoReconvergence, frame);
  barriers.join(*this, warp_in_block);
  run_next();
}

Step Warp::fault(isa::Fault::Kind kind, const Instruction& i) {
  context_.fault.kind = kind;
  context_.fault.lane =
      static_cast<std::uint8_t>(std::countr_zero(context_.active != 0 ? context_.active : lanes_));
  return {Step::Then::fault, &i, context_.active};
}

Step Warp::move_to(std::uint32_t pc, const Instruction* executed, LaneMask lanes) {
  pc_ = pc;
  next_ = program_->code.data() + pc;
  if (pc_ == stop_pc_) return after_move(executed, lanes);
  return {Step::Then::proceed, executed, lanes};
}

/// The running split may have come to its reconvergence point.
Step Warp::after_move(const Instruction* executed, LaneMask lanes) {
  park(State::ready);
  return settle(executed, lanes);
}

/// Finds out who runs next; without anybody, what the warp waits for.
Step Warp::settle(const Instruction* executed, LaneMask lanes) {
  for (;;) {
    if (run_next()) return {Step::Then::proceed, executed, lanes};
    next_ = nullptr;
    if (used_ == 0) return {Step::Then::exited, executed, lanes};
    if (complete_syncs()) {
      if (context_.fault.kind != isa::Fault::Kind::none) return sync_fault(executed, lanes);
      continue;
    }
    bool at_barrier = false, at_sync = false;
    for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
      const State state = splits_[static_cast<unsigned>(std::countr_zero(rest))].state;
      at_barrier |= state == State::at_barrier;
      at_sync |= state == State::at_sync;
    }
    const bool may_break = at_sync || divergence_ == Divergence::independent_threads;
    if (may_break && let_arrived_go_on()) continue;
    if (at_barrier) return {Step::Then::barrier, executed, lanes};
    context_.fault = {};
    context_.fault.kind = isa::Fault::Kind::deadlock;
    context_.fault.lane = static_cast<std::uint8_t>(std::countr_zero(context_.live));
    return {Step::Then::fault, executed, lanes};
  }
}

Step Warp::step_control(const Instruction& i) {
  switch (i.kind) {
    case Kind::branch:
      return i.extra != 0 ? step_branch_table(i) : step_branch(i);
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
    default: {  // builtin, other
      const LaneMask active = context_.active;
      context_.event = 0;
      context_.access.lanes = 0;
      if (active != 0) i.execute(context_, i);
      if (context_.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
      Step step = move_to(pc_ + 1, &i, active);
      if (context_.waits_until == kNever && step.then == Step::Then::proceed) {
        step.then = Step::Then::blocked;
      }
      return step;
    }
  }
}

Step Warp::step_branch(const Instruction& i) {
  const LaneMask taken = context_.active, lanes = lanes_;
  if (taken == 0) return move_to(pc_ + 1, &i, lanes);
  const bool backwards = i.target <= pc_;
  if (taken == lanes) {
    const Step step = move_to(i.target, &i, lanes);
    return backwards ? turned_back(i, step) : step;
  }
  const Path paths[2] = {{i.target, taken}, {pc_ + 1, lanes & ~taken}};
  diverge(paths, 2, i.reconverge);
  const Step step = settle(&i, lanes);
  return backwards ? turned_back(i, step) : step;
}

/// A loop goes round while lanes of the warp wait: they must not wait forever.
Step Warp::turned_back(const Instruction& i, Step step) {
  const bool alone = (used_ & (used_ - 1)) == 0;
  if (alone || current_ == kNoSplit) {
    run_length_ = 0;
    return step;
  }
  ++run_length_;
  if (spins_forever()) return fault(isa::Fault::Kind::deadlock, i);
  take_turns();
  return current_ == kNoSplit ? settle(&i, step.lanes) : step;
}

Step Warp::step_branch_table(const Instruction& i) {
  const auto& table = program_->branch_tables[i.target];
  const auto* index = context_.source<std::uint32_t>(i.s[0]);
  const LaneMask all = lanes_;
  Path paths[kWarpSize];
  unsigned count = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (index[lane] >= table.size()) {
      context_.active = LaneMask{1} << lane;
      return fault(isa::Fault::Kind::illegal_instruction, i);
    }
    const std::uint32_t target = table[index[lane]];
    unsigned n = 0;
    while (n < count && paths[n].pc != target) ++n;
    if (n == count) paths[count++] = {target, 0};
    paths[n].lanes |= LaneMask{1} << lane;
  }
  if (count == 1) return move_to(paths[0].pc, &i, all);
  diverge(paths, count, i.reconverge);
  return settle(&i, all);
}

Step Warp::step_exit(const Instruction& i) {
  const LaneMask leaving = context_.active;
  if (leaving == 0) return move_to(pc_ + 1, &i, leaving);
  context_.live &= ~leaving;
  const std::uint8_t parent = splits_[current_].parent;
  if (leaving == lanes_) {
    free_split(current_);
    current_ = kNoSplit;
    lanes_leave(parent, leaving);
    barriers_->lanes_ended(context_.warp_in_block);
    return settle(&i, leaving);
  }
  lanes_ &= ~leaving;
  splits_[current_].lanes = lanes_;
  lanes_leave(parent, leaving);
  barriers_->lanes_ended(context_.warp_in_block);
  return move_to(pc_ + 1, &i, leaving);
}

Step Warp::step_barrier(const Instruction& i) {
  const LaneMask active = context_.active;
  if (active == 0) return move_to(pc_ + 1, &i, active);
  const auto lane = static_cast<unsigned>(std::countr_zero(active));
  const std::uint32_t number = context_.source<std::uint32_t>(i.s[0])[lane];
  const bool written = (i.s[0] & isa::kConstantBit) != 0;  // and checked when it was loaded
  if (!written && number >= isa::kClusterBarrier) {
    return fault(isa::Fault::Kind::illegal_instruction, i);
  }
  const auto operation = static_cast<isa::BarrierOperation>(i.extra);
  BlockBarriers::Arrival arrival;
  arrival.barrier = static_cast<std::uint8_t>(number);
  arrival.waits = operation != isa::BarrierOperation::arrive;
  arrival.threads = context_.source<std::uint32_t>(i.s[1])[lane];
  arrival.lanes = active;
  arrival.true_lanes = isa::source_predicate(context_, i) & active;
  if (!arrival.waits) {
    barriers_->arrive(context_.warp_in_block, arrival);
    return move_to(pc_ + 1, &i, active);
  }
  if (active != lanes_) {
    // Guarded off lanes do not wait: they go their own way behind the barrier.
    const Path paths[2] = {{pc_, active}, {pc_ + 1, lanes_ & ~active}};
    diverge(paths, 2, isa::kNoReconvergence);
    return settle(&i, 0);
  }
  splits_[current_].barrier = arrival.barrier;
  if (barriers_->arrive(context_.warp_in_block, arrival)) {
    deliver_reduction(i, active, *barriers_);
    return move_to(pc_ + 1, &i, active);
  }
  park(State::at_barrier);
  if (divergence_ == Divergence::simt_stack) {
    next_ = nullptr;  // before Volta the warp waits as a whole
    return {Step::Then::barrier, &i, active};
  }
  return settle(&i, active);
}

void Warp::deliver_reduction(const Instruction& i, LaneMask lanes, const BlockBarriers& result) {
  const auto operation = static_cast<isa::BarrierOperation>(i.extra);
  context_.active = lanes;
  switch (operation) {
    case isa::BarrierOperation::count_true: {
      auto* d = context_.destination<std::uint32_t>(i.d);
      for (unsigned l = 0; l < kWarpSize; ++l) {
        if (isa::lane_in(lanes, l)) d[l] = result.true_threads();
      }
      break;
    }
    case isa::BarrierOperation::all_true: {
      const bool all = result.true_threads() == result.arrived_threads();
      isa::store_predicate(context_, i.p, all ? kAllLanes : 0);
      break;
    }
    case isa::BarrierOperation::any_true:
      isa::store_predicate(context_, i.p, result.true_threads() != 0 ? kAllLanes : 0);
      break;
    default:
      break;
  }
}

bool Warp::release_barrier(unsigned barrier, const BlockBarriers& result) {
  const bool whole = next_ == nullptr;
  const std::uint8_t running = current_;
  if (running != kNoSplit) park(State::ready);
  bool any = false;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    Split& split = splits_[index];
    if (split.state != State::at_barrier || split.barrier != barrier) continue;
    load(index);
    deliver_reduction(*next_, lanes_, result);
    ++pc_;
    park(State::ready);
    any = true;
  }
  if (running != kNoSplit) {
    load(running);
    return false;
  }
  return any && whole && run_next();
}

Step Warp::step_sync(const Instruction& i) {
  const LaneMask active = context_.active;
  if (active == 0) return move_to(pc_ + 1, &i, active);
  const auto* masks = context_.source<std::uint32_t>(i.s[3]);
  LaneMask named = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) named |= isa::lane_in(active, l) ? masks[l] : 0;
  if ((named & context_.live & ~lanes_) == 0) {
    i.execute(context_, i);
    if (context_.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
    return move_to(pc_ + 1, &i, active);
  }
  splits_[current_].sync_mask = named & context_.live;
  park(State::at_sync);
  complete_syncs();
  if (context_.fault.kind != isa::Fault::Kind::none) return sync_fault(&i, active);
  return settle(&i, active);
}

/// What lanes have executed together is at fault; they are ready to go on behind it.
Step Warp::sync_fault(const Instruction* executed, LaneMask lanes) {
  next_ = nullptr;
  return {Step::Then::fault, executed, lanes};
}

/// Groups of lanes whose partners have all come execute what they waited to execute. True when
/// there was one.
bool Warp::complete_syncs() {
  bool any = false;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    if (splits_[index].state != State::at_sync) continue;
    LaneMask waiting = 0;
    for (std::uint64_t others = used_; others != 0; others &= others - 1) {
      const Split& other = splits_[static_cast<unsigned>(std::countr_zero(others))];
      if (other.state == State::at_sync) waiting |= other.lanes;
    }
    if ((splits_[index].sync_mask & context_.live & ~waiting) != 0) continue;
    run_sync_group(index);
    any = true;
    if (context_.fault.kind != isa::Fault::Kind::none) break;
  }
  return any;
}

/// Splits that wait at the instruction of `first`, in the same activation of its function, execute
/// it together.
void Warp::run_sync_group(std::uint8_t first) {
  const Split leader = splits_[first];
  LaneMask together = 0;
  std::uint64_t group = 0;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(rest));
    const Split& other = splits_[index];
    if (other.state != State::at_sync || other.pc != leader.pc ||
        frames_[other.frame].rows != frames_[leader.frame].rows) {
      continue;
    }
    together |= other.lanes;
    group |= std::uint64_t{1} << index;
  }
  load(first);
  const Instruction& i = *next_;
  context_.active = together & (context_.predicates[i.guard] ^ i.guard_flip);
  i.execute(context_, i);
  current_ = kNoSplit;
  for (; group != 0; group &= group - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(group));
    ++splits_[index].pc;
    splits_[index].state = State::ready;
    ready_ |= std::uint64_t{1} << index;
  }
}

Step Warp::skip_faulting() {
  if (next_ == nullptr) {
    context_.fault = {};
    return settle(nullptr, 0);
  }
  const Instruction& i = *next_;
  // A memory instruction that faults has done nothing yet: it is tried with the lanes that are
  // left.
  LaneMask rest = i.kind == isa::Kind::memory ? context_.active : 0;
  context_.access.lanes = 0;
  while (context_.fault.kind != isa::Fault::Kind::none) {
    rest &= ~(LaneMask{1} << context_.fault.lane);
    context_.fault = {};
    context_.active = rest;
    context_.access.lanes = 0;
    if (rest != 0) i.execute(context_, i);
  }
  return move_to(pc_ + 1, &i, rest);
}

}  // namespace raddle::machine
