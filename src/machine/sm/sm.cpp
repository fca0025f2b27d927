#include "machine/sm/sm.h"

#include <algorithm>
#include <bit>

#include "machine/chip_config.h"
#include "machine/dispatch/config.h"
#include "machine/execute/config.h"
#include "machine/fault.h"
#include "machine/frontend/config.h"
#include "machine/lane_controls.h"
#include "machine/operands/config.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"
#include "machine/sm/unit_port.h"
#include "machine/warp_policies.h"

namespace raddle::machine {

Sm::Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space,
       isa::Services& services, ContextMemory& contexts, StatGroup& statistics, Cycle& wake)
    : index_(index),
      contexts_(contexts),
      scheme_(lane_control(config)),
      paths_(scheme_.paths),
      formation_(scheme_.make_formation == nullptr ? nullptr : scheme_.make_formation()),
      dispatch_width_(config.scheduler.dispatch_width),
      block_latency_(config.dispatch.block_latency),
      ns_per_cycle_(1000.0 / config.gpu.core_mhz),
      keep_going_(config.gpu.keep_going),
      free_blocks_(config.sm.blocks),
      scoreboard_(kMaxWarps, paths_),
      units_(config.execute, config.scheduler.count),
      port_(space, isa::GlobalPort::Mode::deferred, services),
      stats_(statistics.unit<SmStats>("sm", index)),
      preemption_stats_(stats_.unit<PreemptionStats>("preemption")),
      host_clock_(config.gpu.measure_units),
      memory_(config, index, stats_, events_, host_clock_),
      frontend_(config.frontend, config.scheduler.count,
                paths_ == 1 ? config.sm.warps.value() : paths_ * kMaxWarps, index, memory_.port(),
                stats_),
      mover_(index, memory_.port(), preemption_stats_),
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
  make_texture_unit(config);
  for (unsigned s = 0; s < config.scheduler.count; ++s) {
    schedulers_.emplace_back(s, config.scheduler.count, make_warp_policy(config));
  }
}

void Sm::enter(PathId id, State state) {
  const unsigned warp = warp_of(id);
  WarpSlot& slot = *slots_[warp];
  const State before = std::exchange(slot.paths[path_of(id)].state, state);
  bool others = false;  // of its paths are in the state that this one leaves
  for (unsigned path = 0; paths_ > 1 && path < paths_; ++path) {
    others |= slot.paths[path].state == before;
  }
  if (!others) masks_[static_cast<std::size_t>(before)] &= ~warp_bit(warp);
  masks_[static_cast<std::size_t>(state)] |= warp_bit(warp);
}

/// The warp enters a state as a whole.
void Sm::enter_whole(unsigned warp, State state) {
  for (unsigned path = 1; path < paths_; ++path) enter(path_id(warp, path), State::idle);
  enter(path_id(warp, 0), state);
}

void Sm::cycle(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::front_end);
  account_until(now);
  in_cycle_ = true;
  if (frontend_.fetching() && frontend_.receive(now)) look_for_instructions(now);
  if (mover_.waits()) [[unlikely]]
    mover_.receive(now);
  if (restoring_ != 0) [[unlikely]]
    resume_restored(now);
  events_.take(now, [&](WarpEvent event) { take_event(event, now); });
  cycle_memory(now);
  if (!units_attached_.empty()) [[unlikely]]
    cycle_units(now);
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
  if (mover_.can_send()) [[unlikely]]
    mover_.send(now);
  accounted_ = now + 1;
  in_cycle_ = false;
  decide_wake(now);
}

/// A line of code has come through the network: warps that wait for one look again.
void Sm::look_for_instructions(Cycle now) {
  for (WarpMask waiting = in(State::no_instruction); waiting != 0; waiting &= waiting - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(waiting));
    for_each_path(warp, [&](PathId id) {
      const PathSlot& path = path_slot(id);
      if (path.state == State::no_instruction && path.until == kNever) look_at_next(id, now);
    });
  }
}

void Sm::cycle_memory(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::load_store);
  memory_.cycle(now, [&](PathId id, std::uint32_t code) { memory_completed(id, code, now); });
}

void Sm::take_event(WarpEvent event, Cycle now) {
  const PathId id = event.path;
  WarpSlot& slot = slot_of(id);
  switch (event.kind) {
    case WarpEvent::Kind::result:
      scoreboard_.release_execution(id, slot.program->writes[event.code]);
      break;
    case WarpEvent::Kind::memory_result:
      memory_.finish(id);
      return memory_completed(id, event.code, now);
    case WarpEvent::Kind::memory_write:
      scoreboard_.release_memory(id, slot.program->writes[event.code]);
      break;
    case WarpEvent::Kind::unit_result:
    case WarpEvent::Kind::unit_write:
      return unit_by_number_[event.code >> UnitPort::kUnitShift]->result_event(event, now);
    case WarpEvent::Kind::wake:
      return wake_path(id, now);
  }
  reconsider(id, now);
}

/// What the path has waited for may have come.
void Sm::wake_path(PathId id, Cycle now) {
  const PathSlot& path = path_slot(id);
  // The path may have stopped running in the meantime, run something else, or be another warp's.
  if (!waits_for_event(path.state) || path.until == kNever) return;
  if (path.until > now) return wait_until(id, path.state, path.until, now);
  if (const Cycle until = slot_of(id).warp.context().waits_until; until > now) {
    if (until == kNever) return wait_endlessly(id);
    return wait_until(id, State::runtime, until, now);
  }
  look_at_next(id, now);
}

void Sm::memory_completed(PathId id, std::uint32_t code, Cycle now) {
  if (formation_ != nullptr && joint_completed(id, code, now)) return;
  const isa::RegisterSet& writes = slot_of(id).program->writes[code];
  const Cycle written =
      writes.empty() ? now : operands_.write(scheduler_of(warp_of(id)), false, now, now);
  if (written == now) {
    scoreboard_.release_memory(id, writes);
  } else {
    events_.put({WarpEvent::Kind::memory_write, id, code}, written);
  }
  reconsider(id, now);
}

/// A result has come, or an access has ended: what waited for it may go on.
void Sm::reconsider(PathId id, Cycle now) {
  if (paths_ == 1) return reconsider_path(id, now);
  // Paths wait for each other's results, and a warp ends with all of them.
  for_each_path(warp_of(id), [&](PathId one) { reconsider_path(one, now); });
}

void Sm::reconsider_path(PathId id, Cycle now) {
  switch (path_slot(id).state) {
    case State::ready:
    case State::execution:
    case State::memory:
      return look_at_next(id, now);
    case State::fence:
      if (memory_.outstanding(warp_of(id)) == 0) look_at_next(id, now);
      return;
    case State::ending:
      return finish_ending(warp_of(id));
    default:
      return;
  }
}

/// The path is not looked at before cycle `until`.
void Sm::wait_until(PathId id, State state, Cycle until, Cycle now) {
  path_slot(id).until = until;
  enter(id, state);
  events_.put({WarpEvent::Kind::wake, id, 0},
              std::min(std::max(until, now + 1), now + WarpEvents::kSpan - 1));
}

void Sm::wake_warp(const isa::WarpContext& context, Cycle now) {
  ResidentBlock& block = *blocks_[context.block->slot];
  const unsigned warp = block.warps[context.warp_in_block];
  block.considered = false;
  if (block.leaving() && !block.forced) {
    account_until(now + 1);
    return resume_block(block, now);
  }
  for_each_path(warp, [&](PathId id) {
    // In any other state it has not come to the wait yet.
    if (!waits_endlessly(id)) return;
    --endless_waits_;
    account_until(now + 1);
    wait_until(id, State::runtime, context.waits_until, now);
    rouse(events_.next_after(now));
  });
}

void Sm::arrive_at_barrier(unsigned warp, Cycle now) {
  enter_whole(warp, State::barrier);
  release_barriers(*slots_[warp]->block, now);
}

/// Lets warps go on whose barrier has become complete.
void Sm::release_barriers(ResidentBlock& block, Cycle now) {
  for (std::uint32_t released = block.barriers.take_released(); released != 0;
       released &= released - 1) {
    const unsigned warp = block.warps[static_cast<unsigned>(std::countr_zero(released))];
    const Cycle until = now + units_.latency(isa::Class::barrier);
    if (paths_ > 1) {
      start_changed_paths(warp, until, now);
    } else if (slots_[warp]->state() == State::barrier || slots_[warp]->state() == State::parked) {
      wait_until(path_id(warp, 0), State::fetch, until, now);
    }
  }
}

void Sm::end_warp(unsigned warp, Cycle now) {
  enter_whole(warp, State::ending);
  release_barriers(*slots_[warp]->block,
                   now);  // a barrier does not wait for warps that have exited
  finish_ending(warp);
}

/// A warp that has exited keeps its slot until its accesses and results have come.
void Sm::finish_ending(unsigned warp) {
  if (!drained(warp)) return;
  enter_whole(warp, State::ended);
  if (--slots_[warp]->block->running == 0) ++blocks_to_retire_;
}

/// Nothing of the warp's is under way.
bool Sm::drained(unsigned warp) const {
  if (memory_.outstanding(warp) != 0 || unit_results_[warp] != 0) return false;
  for (unsigned path = 0; path < paths_; ++path) {
    if (!scoreboard_.empty(path_id(warp, path))) return false;
  }
  return true;
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
  if (charges_) [[unlikely]]
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
  const bool at_once = ready != 0 || frontend_.can_send() || mover_.can_send();
  wake_ = at_once ? now + 1 : std::min(events_.next_after(now), memory_.wake());
  if (!units_attached_.empty()) [[unlikely]]
    wake_ = std::min(wake_, units_wake());
}

}  // namespace raddle::machine
