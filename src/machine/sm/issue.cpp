// The schedulers' half of the SM: picking a warp, issuing, and what the instruction then needs.
#include <bit>
#include <utility>

#include "machine/sm/sm.h"

namespace raddle::machine {
namespace {

bool is_load_store(isa::Class klass) {
  switch (klass) {
    case isa::Class::load_store:
    case isa::Class::shared_memory:
    case isa::Class::constant_load:
    case isa::Class::atomic:
    case isa::Class::texture:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// Puts a warp whose next instruction may have changed, or whose operands may have come, into the
/// state that tells what it waits for.
void Sm::look_at_next(unsigned warp, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  if (const Cycle there = frontend_.ready(warp, slot.warp.pc(), now); there > now) {
    if (there != kNever) return wait_until(warp, State::no_instruction, there, now);
    slot.until = kNever;
    return enter(warp, State::no_instruction);
  }
  const isa::Instruction* next = slot.warp.next();
  const bool changes_frame = next->kind == isa::Kind::call || next->kind == isa::Kind::ret;
  const Scoreboard::Wait wait = changes_frame
                                    ? scoreboard_.wait_all(warp)
                                    : scoreboard_.wait(warp, slot.program->hazards[slot.warp.pc()]);
  switch (wait) {
    case Scoreboard::Wait::none:
      enter(warp, State::ready);
      break;
    case Scoreboard::Wait::execution:
      return enter(warp, State::execution);
    case Scoreboard::Wait::memory:
      return enter(warp, State::memory);
  }
  if (is_load_store(next->klass)) {
    uses_load_store_ |= warp_bit(warp);
  } else {
    uses_load_store_ &= ~warp_bit(warp);
  }
}

/// One cycle of a scheduler: the warp that its policy picks among those that can issue.
void Sm::schedule(unsigned index, Cycle now) {
  WarpScheduler& scheduler = schedulers_[index];
  WarpMask ready = in(State::ready)&scheduler.owned();
  if (!memory_.can_issue()) ready &= ~uses_load_store_;
  if (ready != 0 && !operands_.can_issue(index, now)) {
    return count_slots(Slot::operands, scheduler.owned(), 1);
  }
  const WarpMask away =
      ~(in(State::ready) | in(State::execution) | in(State::no_instruction) | in(State::fetch));
  while (ready != 0) {
    const unsigned warp = scheduler.pick(ready, away, ages_);
    if (can_issue(warp, index, now)) {
      scheduler.issued(warp);
      if (profile_ != nullptr) [[unlikely]]
        charge_issue(*slots_[warp]);
      issue(warp, index, now);
      for (unsigned n = 1; n < dispatch_width_ && (in(State::ready)&warp_bit(warp)); ++n) {
        if (!operands_.can_issue(index, now) || !can_issue(warp, index, now)) break;
        ++stats_.dual_issued;
        issue(warp, index, now);
      }
      ++stats_.slots[Slot::issued];
      return;
    }
    ready &= ~warp_bit(warp);
  }
  count_slots(stalled(scheduler.owned()), scheduler.owned(), 1);
}

bool Sm::can_issue(unsigned warp, unsigned scheduler, Cycle now) {
  const isa::Class klass = slots_[warp]->warp.next()->klass;
  return units_.can_issue(klass, scheduler, now) && (!is_load_store(klass) || memory_.can_issue());
}

void Sm::issue(unsigned warp, unsigned scheduler, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  isa::WarpContext& context = slot.warp.context();
  context.now = now;
  const isa::Instruction& next = *slot.warp.next();
  units_.issue(next.klass, scheduler, now, ExecuteUnits::steps(next));
  const Cycle delay = operands_.read(scheduler, warp, slot.program->sources[slot.warp.pc()],
                                     units_.fixed_latency(next.klass), now);
  const Step step = execute(slot.warp);
  if (step.instruction != nullptr) {
    const auto lanes = static_cast<unsigned>(std::popcount(step.lanes));
    ++stats_.warp_instructions;
    stats_.thread_instructions += lanes;
    stats_.active_lanes.add(lanes);
    ++slot.block->warp_instructions;
    slot.block->thread_instructions += lanes;
  }
  if (profile_ != nullptr) [[unlikely]]
    charge_step(slot, step);
  after_step(warp, step, delay, now);
}

Step Sm::execute(Warp& warp) {
  const HostClock::Scope measured(host_clock_, HostUnit::execute);
  return warp.step();
}

/// `delay`: by which the instruction got its operands late.
void Sm::after_step(unsigned warp, const Step& step, Cycle delay, Cycle now) {
  switch (step.then) {
    case Step::Then::fault:
      return fault(warp, now);
    case Step::Then::exited:
      return end_warp(warp, now);
    case Step::Then::barrier:
      return arrive_at_barrier(warp, now);
    case Step::Then::proceed:
    case Step::Then::blocked:
      break;
  }
  if (step.instruction == nullptr) return look_at_next(warp, now);  // lanes only waited for others
  const isa::Instruction& instruction = *step.instruction;
  switch (instruction.kind) {
    case isa::Kind::branch:
    case isa::Kind::call:
    case isa::Kind::ret:
    case isa::Kind::exit:
    case isa::Kind::barrier:
    case isa::Kind::builtin:
      // Lanes that ended or arrived may have been the last that a barrier waited for.
      release_barriers(*slots_[warp]->block, now);
      return wait_until(warp, State::fetch, now + delay + units_.latency(instruction.klass), now);
    case isa::Kind::other:
      if (slots_[warp]->warp.context().event != 0) return sleep(warp, now);
      break;
    default:
      break;
  }
  if (step.lanes != 0) track_result(warp, instruction, delay, now);
  if (instruction.klass == isa::Class::fence && memory_.outstanding(warp) != 0) {
    return enter(warp, State::fence);
  }
  look_at_next(warp, now);
}

/// nanosleep: the instruction left the time in the warp's context.
void Sm::sleep(unsigned warp, Cycle now) {
  isa::WarpContext& context = slots_[warp]->warp.context();
  const double nanoseconds = static_cast<double>(std::exchange(context.event, 0));
  wait_until(warp, State::asleep, now + 1 + static_cast<Cycle>(nanoseconds / ns_per_cycle_), now);
}

/// Makes users of the result wait for it.
void Sm::track_result(unsigned warp, const isa::Instruction& instruction, Cycle delay, Cycle now) {
  WarpSlot& slot = *slots_[warp];
  const auto code = static_cast<std::uint32_t>(&instruction - slot.program->code.data());
  const isa::RegisterSet& writes = slot.program->writes[code];
  if (instruction.kind == isa::Kind::memory && slot.warp.context().access.lanes != 0) {
    scoreboard_.reserve_memory(warp, writes);
    const HostClock::Scope measured(host_clock_, HostUnit::load_store);
    const LoadStore::Cost cost = memory_.issue(warp, code, slot.warp.context());
    if (profile_ != nullptr) [[unlikely]]
      charge_access(slot, code, cost);
  } else if (!writes.empty()) {
    scoreboard_.reserve_execution(warp, writes);
    const Cycle written =
        operands_.write(scheduler_of(warp), units_.fixed_latency(instruction.klass),
                        now + delay + units_.latency(instruction), now);
    events_.put({WarpEvent::Kind::result, static_cast<std::uint8_t>(warp), code}, written);
  }
}

}  // namespace raddle::machine
