#include "machine/sm/sm.h"

#include <algorithm>
#include <bit>

#include "machine/fault.h"

namespace raddle::machine {

Sm::Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space,
       isa::Services& services, StatGroup& statistics, Cycle& wake)
    : index_(index),
      divergence_(config.scheduler.divergence == "stack" ? Divergence::simt_stack
                                                         : Divergence::independent_threads),
      dispatch_width_(config.scheduler.dispatch_width),
      block_latency_(config.dispatch.block_latency),
      ns_per_cycle_(1000.0 / config.gpu.core_mhz),
      keep_going_(config.gpu.keep_going),
      free_blocks_(config.sm.blocks),
      scoreboard_(kMaxWarps),
      units_(config.execute, config.scheduler.count),
      port_(space, isa::GlobalPort::Mode::deferred, services),
      stats_(statistics.unit<SmStats>("sm", index)),
      host_clock_(config.gpu.measure_units),
      memory_(config, index, stats_, events_, host_clock_),
      frontend_(config.frontend, config.scheduler.count, config.sm.warps, index, memory_.port(),
                stats_),
      operands_(config.operands, config.scheduler.count, stats_),
      wake_(wake) {
  wake_ = kNever;
  all_ = free_ = {config.sm.threads, config.sm.warps, config.sm.registers, config.sm.shared_bytes};
  for (unsigned warp = 0; warp < config.sm.warps; ++warp) {
    slots_.push_back(std::make_unique<WarpSlot>());
    masks_[static_cast<std::size_t>(State::vacant)] |= warp_bit(warp);
  }
  for (unsigned block = 0; block < config.sm.blocks; ++block) {
    blocks_.push_back(std::make_unique<ResidentBlock>());
  }
  for (unsigned s = 0; s < config.scheduler.count; ++s)
    schedulers_.emplace_back(config.scheduler, s);
}

void Sm::enter(unsigned warp, State state) {
  WarpSlot& slot = *slots_[warp];
  masks_[static_cast<std::size_t>(slot.state)] &= ~warp_bit(warp);
  masks_[static_cast<std::size_t>(state)] |= warp_bit(warp);
  slot.state = state;
}

void Sm::cycle(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::front_end);
  account_until(now);
  if (frontend_.fetching() && frontend_.receive(now)) look_for_instructions(now);
  events_.take(now, [&](WarpEvent event) { take_event(event, now); });
  cycle_memory(now);
  if (resident_ != 0) {
    // What they share (units, the load-store queue) is offered to another one first each cycle.
    const auto schedulers = static_cast<unsigned>(schedulers_.size());
    unsigned turn = static_cast<unsigned>(now % schedulers);
    for (unsigned n = 0; n < schedulers; ++n) {
      schedule(turn, now);
      turn = turn + 1 == schedulers ? 0 : turn + 1;
    }
    ++stats_.cycles;
    stats_.resident_warp_cycles += resident_;
  }
  if (frontend_.fetching()) frontend_.send(now);
  accounted_ = now + 1;
  decide_wake(now);
}

/// A line of code has come through the network: warps that wait for one look again.
void Sm::look_for_instructions(Cycle now) {
  for (WarpMask waiting = in(State::no_instruction); waiting != 0; waiting &= waiting - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(waiting));
    if (slots_[warp]->until == kNever) look_at_next(warp, now);
  }
}

void Sm::cycle_memory(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::load_store);
  memory_.cycle(now, [&](unsigned warp, std::uint32_t code) { memory_completed(warp, code, now); });
}

void Sm::take_event(WarpEvent event, Cycle now) {
  const unsigned warp = event.warp;
  WarpSlot& slot = *slots_[warp];
  switch (event.kind) {
    case WarpEvent::Kind::result:
      scoreboard_.release_execution(warp, slot.program->writes[event.code]);
      break;
    case WarpEvent::Kind::memory_result:
      memory_.finish(warp);
      return memory_completed(warp, event.code, now);
    case WarpEvent::Kind::memory_write:
      scoreboard_.release_memory(warp, slot.program->writes[event.code]);
      break;
    case WarpEvent::Kind::wake:
      if (slot.until > now) return wait_until(warp, slot.state, slot.until, now);
      if (const Cycle until = slot.warp.context().waits_until; until > now) {
        if (until == kNever) return wait_endlessly(warp);
        return wait_until(warp, State::runtime, until, now);
      }
      return look_at_next(warp, now);
  }
  reconsider(warp, now);
}

void Sm::memory_completed(unsigned warp, std::uint32_t code, Cycle now) {
  const isa::RegisterSet& writes = slots_[warp]->program->writes[code];
  const Cycle written = writes.empty() ? now : operands_.write(scheduler_of(warp), false, now, now);
  if (written == now) {
    scoreboard_.release_memory(warp, writes);
  } else {
    events_.put({WarpEvent::Kind::memory_write, static_cast<std::uint8_t>(warp), code}, written);
  }
  reconsider(warp, now);
}

/// A result has come, or an access has ended: what waited for it may go on.
void Sm::reconsider(unsigned warp, Cycle now) {
  switch (slots_[warp]->state) {
    case State::ready:
    case State::execution:
    case State::memory:
      return look_at_next(warp, now);
    case State::fence:
      if (memory_.outstanding(warp) == 0) look_at_next(warp, now);
      return;
    case State::ending:
      return finish_ending(warp);
    default:
      return;
  }
}

/// The warp is not looked at before cycle `until`.
void Sm::wait_until(unsigned warp, State state, Cycle until, Cycle now) {
  slots_[warp]->until = until;
  enter(warp, state);
  events_.put({WarpEvent::Kind::wake, static_cast<std::uint8_t>(warp), 0},
              std::min(std::max(until, now + 1), now + WarpEvents::kSpan - 1));
}

void Sm::wake_warp(const isa::WarpContext& context, Cycle now) {
  const unsigned warp = blocks_[context.block->slot]->warps[context.warp_in_block];
  // In any other state the warp has not come to the wait yet.
  if (slots_[warp]->state != State::runtime || slots_[warp]->until > now) return;
  --endless_waits_;
  slots_[warp]->block->leaves_at = 0;
  account_until(now + 1);
  wait_until(warp, State::runtime, context.waits_until, now);
  rouse(events_.next_after(now));
}

void Sm::arrive_at_barrier(unsigned warp, Cycle now) {
  enter(warp, State::barrier);
  release_barriers(*slots_[warp]->block, now);
}

/// Lets warps go on whose barrier has become complete.
void Sm::release_barriers(ResidentBlock& block, Cycle now) {
  for (std::uint32_t released = block.barriers.take_released(); released != 0;
       released &= released - 1) {
    const unsigned warp = block.warps[static_cast<unsigned>(std::countr_zero(released))];
    if (slots_[warp]->state != State::barrier) continue;
    wait_until(warp, State::fetch, now + units_.latency(isa::Class::barrier), now);
  }
}

void Sm::end_warp(unsigned warp, Cycle now) {
  enter(warp, State::ending);
  release_barriers(*slots_[warp]->block,
                   now);  // a barrier does not wait for warps that have exited
  finish_ending(warp);
}

/// A warp that has exited keeps its slot until its accesses and results have come.
void Sm::finish_ending(unsigned warp) {
  if (memory_.outstanding(warp) != 0 || !scoreboard_.empty(warp)) return;
  enter(warp, State::ended);
  if (--slots_[warp]->block->running == 0) ++blocks_to_retire_;
}

/// What a scheduler that did not issue waited for.
Slot Sm::stalled(WarpMask owned) const {
  for (const auto& [state, slot] : kStallOrder) {
    if (in(state)&owned) return slot;
  }
  return Slot::no_warp;
}

/// Counts `cycles` in which a scheduler issued nothing.
void Sm::count_slots(Slot reason, WarpMask owned, Cycle cycles) {
  stats_.slots[reason] += cycles;
  if (profile_ != nullptr) [[unlikely]]
    charge_stall(reason, owned, cycles);
}

/// Nothing has changed since the last cycle(), so every scheduler stalls on.
void Sm::account_until(Cycle end) {
  if (end <= accounted_) return;
  const Cycle cycles = end - accounted_;
  accounted_ = end;
  if (resident_ == 0) return;
  stats_.cycles += cycles;
  stats_.resident_warp_cycles += cycles * resident_;
  for (const WarpScheduler& scheduler : schedulers_) {
    count_slots(stalled(scheduler.owned()), scheduler.owned(), cycles);
  }
}

void Sm::decide_wake(Cycle now) {
  WarpMask ready = in(State::ready);
  if (!memory_.can_issue()) ready &= ~uses_load_store_;
  wake_ = ready != 0 || frontend_.can_send() ? now + 1
                                             : std::min(events_.next_after(now), memory_.wake());
}

}  // namespace raddle::machine
