// The schedulers' half of the SM: picking a warp, issuing, and what the instruction then needs.
#include <bit>
#include <utility>

#include "machine/sm/unit_port.h"

namespace raddle::machine {
namespace {

/// Whether the scoreboard sees to it that its result is waited for; the pipeline is empty behind
/// others, and units see to theirs.
bool has_result(isa::Kind kind) {
  return kind == isa::Kind::compute || kind == isa::Kind::memory || kind == isa::Kind::warp_sync ||
         kind == isa::Kind::other;
}

}  // namespace

/// Puts a path whose next instruction may have changed, or whose operands may have come, into the
/// state that tells what it waits for.
void Sm::look_at_next(PathId id, Cycle now) {
  WarpSlot& slot = slot_of(id);
  const unsigned path = path_of(id);
  const std::uint32_t pc = slot.warp.pc(path);
  if (paths_ > 1 && waits_for_call(id, now)) return;
  if (const Cycle there = frontend_.ready(id, pc, now); there > now) {
    if (there != kNever) return wait_until(id, State::no_instruction, there, now);
    slot.paths[path].until = kNever;
    return enter(id, State::no_instruction);
  }
  const isa::Instruction* next = slot.warp.next(path);
  const bool changes_frame = next->kind == isa::Kind::call || next->kind == isa::Kind::ret;
  const Scoreboard::Wait wait =
      changes_frame ? scoreboard_.wait_all(id) : scoreboard_.wait(id, slot.program->hazards[pc]);
  switch (wait) {
    case Scoreboard::Wait::none:
      enter(id, State::ready);
      break;
    case Scoreboard::Wait::execution:
      return enter(id, State::execution);
    case Scoreboard::Wait::memory:
      return enter(id, State::memory);
  }
  if (paths_ > 1) return;
  const WarpMask bit = warp_bit(warp_of(id));
  if (LoadStore::takes(next->klass)) {
    uses_load_store_ |= bit;
  } else {
    uses_load_store_ &= ~bit;
  }
  if (!units_attached_.empty()) [[unlikely]]
    past_collectors_ = (past_collectors_ & ~bit) | (collects_operands(*next) ? 0 : bit);
}

/// Asked for every ready warp: in line.
[[gnu::always_inline]] inline bool Sm::can_issue(PathId id, unsigned scheduler, Cycle now) {
  const isa::Instruction& next = *slot_of(id).warp.next(path_of(id));
  if (next.kind == isa::Kind::unit) [[unlikely]]
    return unit_can_issue(next, now);
  return units_.can_issue(next.klass, scheduler, now) &&
         (!LoadStore::takes(next.klass) || memory_.can_issue());
}

/// One cycle of a scheduler: the warp that its policy picks among those that can issue.
void Sm::schedule(unsigned index, Cycle now) {
  WarpScheduler& scheduler = schedulers_[index];
  WarpMask ready = in(State::ready)&scheduler.owned();
  if (!memory_.can_issue()) ready &= ~uses_load_store_;
  if (ready != 0 && !operands_.can_issue(index, now)) {
    ready &= past_collectors_;
    if (ready == 0) return count_slots(Slot::operands, scheduler.owned(), 1);
  }
  const WarpMask away =
      ~(in(State::ready) | in(State::execution) | in(State::no_instruction) | in(State::fetch));
  while (ready != 0) {
    const unsigned warp = scheduler.policy().pick({ready, away, uses_load_store_, ages_, now});
    if (warp == WarpPolicy::kNobody) break;
    const unsigned path = paths_ == 1 ? (can_issue(path_id(warp, 0), index, now) ? 0 : kNoPath)
                                      : path_to_issue(warp, index, now);
    if (path != kNoPath) {
      const PathId id = path_id(warp, path);
      scheduler.policy().issued(warp, *slots_[warp]->warp.next(path), now);
      if (charges_) [[unlikely]]
        charge_issue(*slots_[warp], path);
      issue_from(id, index, now);
      for (unsigned n = 1; n < dispatch_width_ && path_slot(id).state == State::ready; ++n) {
        if (!operands_.can_issue(index, now) || !can_issue(id, index, now)) break;
        ++stats_.dual_issued;
        issue_from(id, index, now);
      }
      ++stats_.slots[Slot::issued];
      return;
    }
    ready &= ~warp_bit(warp);
  }
  count_slots(stalled(scheduler.owned()), scheduler.owned(), 1);
}

/// The path from which a warp issues that has a ready one; kNoPath: their units are busy.
unsigned Sm::path_to_issue(unsigned warp, unsigned scheduler, Cycle now) {
  for (unsigned path = 0; path < paths_; ++path) {
    const PathId id = path_id(warp, path);
    if (path_slot(id).state == State::ready && can_issue(id, scheduler, now)) return path;
  }
  return kNoPath;
}

void Sm::issue_from(PathId id, unsigned scheduler, Cycle now) {
  if (formation_ != nullptr) return issue_formed(id, scheduler, now);
  issue(id, scheduler, now);
}

void Sm::issue(PathId id, unsigned scheduler, Cycle now) {
  WarpSlot& slot = slot_of(id);
  const unsigned path = path_of(id);
  isa::WarpContext& context = slot.warp.context();
  context.now = now;
  const isa::Instruction& next = *slot.warp.next(path);
  if (next.kind == isa::Kind::unit) [[unlikely]]
    return issue_to_unit(id, scheduler, now);
  units_.issue(next.klass, scheduler, now, ExecuteUnits::steps(next));
  const Cycle delay =
      operands_.read(scheduler, warp_of(id), slot.program->sources[slot.warp.pc(path)],
                     units_.fixed_latency(next.klass), now);
  const Step step = execute(slot.warp, path);
  count_step(slot, step);
  if (charges_) [[unlikely]]
    charge_step(slot, path, step);
  after_step(id, step, delay, now);
}

void Sm::count_step(WarpSlot& slot, const Step& step) {
  if (step.instruction == nullptr) return;
  const auto lanes = static_cast<unsigned>(std::popcount(step.lanes));
  ++stats_.warp_instructions;
  stats_.thread_instructions += lanes;
  stats_.active_lanes.add(lanes);
  ++slot.block->warp_instructions;
  slot.block->thread_instructions += lanes;
}

Step Sm::execute(Warp& warp, unsigned path) {
  const HostClock::Scope measured(host_clock_, HostUnit::execute);
  return warp.step(path);
}

/// `delay`: by which the instruction got its operands late.
void Sm::after_step(PathId id, const Step& step, Cycle delay, Cycle now) {
  if (step.then == Step::Then::fault) return fault(id, now);
  // First: lanes that go on elsewhere from here wait for its result, too.
  const bool executed = step.instruction != nullptr && step.lanes != 0;
  if (executed && has_result(step.instruction->kind)) {
    track_result(id, *step.instruction, delay, now);
  }
  switch (step.then) {
    case Step::Then::exited:
      return end_warp(warp_of(id), now);
    case Step::Then::barrier:
      return arrive_at_barrier(warp_of(id), now);
    case Step::Then::parked:
      enter_whole(warp_of(id), State::parked);
      return release_barriers(*slot_of(id).block, now);
    default:
      break;
  }
  const bool runs_on = paths_ == 1 || follow_paths(id, step, delay, now);
  if (step.instruction == nullptr) {  // lanes only waited for others
    if (runs_on) look_at_next(id, now);
    return;
  }
  const isa::Instruction& instruction = *step.instruction;
  switch (instruction.kind) {
    case isa::Kind::branch:
    case isa::Kind::call:
    case isa::Kind::ret:
    case isa::Kind::exit:
    case isa::Kind::barrier:
    case isa::Kind::builtin:
      // Lanes that ended or arrived may have been the last that a barrier waited for.
      release_barriers(*slot_of(id).block, now);
      if (!runs_on) return;
      return wait_until(id, State::fetch, now + delay + units_.latency(instruction.klass), now);
    case isa::Kind::other:
      if (slot_of(id).warp.context().event != 0 && runs_on) return sleep(id, now);
      break;
    case isa::Kind::unit:  // its results are the unit's concern
      if (runs_on) look_at_next(id, now);
      return;
    default:
      break;
  }
  if (!runs_on) return;
  if (instruction.klass == isa::Class::fence && memory_.outstanding(warp_of(id)) != 0) {
    return enter(id, State::fence);
  }
  look_at_next(id, now);
}

/// nanosleep: the instruction left the time in the warp's context.
void Sm::sleep(PathId id, Cycle now) {
  isa::WarpContext& context = slot_of(id).warp.context();
  const double nanoseconds = static_cast<double>(std::exchange(context.event, 0));
  wait_until(id, State::asleep, now + 1 + static_cast<Cycle>(nanoseconds / ns_per_cycle_), now);
}

/// Makes users of the result wait for it.
void Sm::track_result(PathId id, const isa::Instruction& instruction, Cycle delay, Cycle now) {
  WarpSlot& slot = slot_of(id);
  const auto code = static_cast<std::uint32_t>(&instruction - slot.program->code.data());
  const isa::RegisterSet& writes = slot.program->writes[code];
  if (instruction.kind == isa::Kind::memory && slot.warp.context().access.lanes != 0) {
    scoreboard_.reserve_memory(id, writes);
    if (!watchers_.empty()) [[unlikely]]
      tell_watchers(id, code, now);
    const HostClock::Scope measured(host_clock_, HostUnit::load_store);
    if (slot.warp.context().access.space == isa::MemoryAccess::Space::texture) {
      texture_->unit().issue(
          {id, code, &instruction, &slot.warp.context(), slot.warp.context().access.lanes, 0, now},
          now);
      return;
    }
    LoadStore::Cost cost;
    const bool joint = joint_members_ != 0 && issue_joint(id, code, cost);
    if (!joint) cost = memory_.issue(id, code, slot.warp.context());
    if (charges_) [[unlikely]]
      charge_access(slot, code, cost);
  } else if (!writes.empty()) {
    scoreboard_.reserve_execution(id, writes);
    const bool booked = group_.size > 1 && group_written_ != kNever;
    const Cycle written =
        booked ? group_written_
               : operands_.write(scheduler_of(warp_of(id)), units_.fixed_latency(instruction.klass),
                                 now + delay + units_.latency(instruction), now);
    group_written_ = written;
    events_.put({WarpEvent::Kind::result, id, code}, written);
  }
}

}  // namespace raddle::machine
