#include "machine/sm/sm.h"

#include <algorithm>

#include "machine/chip_config.h"
#include "machine/execute/config.h"
#include "machine/frontend/config.h"
#include "machine/lane_controls.h"
#include "machine/load_store/config.h"
#include "machine/operands/config.h"
#include "machine/reconvergence/stats.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"
#include "machine/warp_policies.h"

namespace raddle::machine {
namespace {

std::unique_ptr<Formation> make_formation(const LaneControlKind& scheme, const GpuConfig& config) {
  return scheme.make_formation == nullptr ? nullptr : scheme.make_formation(config.scheduler);
}

/// Number of instruction buffers: one for each path of a warp.
unsigned buffers(const GpuConfig& config, const LaneControlKind& scheme) {
  return scheme.paths == 1 ? config.sm.warps.value() : scheme.paths * kMaxWarps;
}

}  // namespace

Sm::Sm(const GpuConfig& config, unsigned index, memory::AddressSpace& space,
       isa::Services& services, ContextMemory& contexts, StatGroup& statistics, Cycle& wake)
    : index_(index),
      scheme_(lane_control(config)),
      clock_(wake),
      stats_(statistics.unit<SmStats>("sm", index)),
      lane_host_{config.scheduler, stats_.unit<LaneStats>("divergence"), nullptr},
      warps_(config.sm.warps, scheme_.paths),
      schedulers_(config.scheduler.count, config.scheduler.patience,
                  [&](unsigned s) { return make_warp_policy(config, stats_, s); }),
      scoreboard_(kMaxWarps, scheme_.paths),
      execute_(config.execute, config.scheduler.count),
      global_(space, isa::GlobalPort::Mode::deferred, services),
      preemption_stats_(stats_.unit<PreemptionStats>("preemption")),
      host_clock_(config.gpu.measure_units),
      memory_(config, index, stats_, events_, host_clock_),
      frontend_(config.frontend, config.scheduler.count, buffers(config, scheme_), index,
                memory_.port(), stats_),
      mover_(index, memory_.port(), preemption_stats_, &memory_.l1()),
      operands_(config.operands, config.scheduler.count, stats_),
      faults_(warps_),
      charges_(index, warps_, memory_),
      accounts_(warps_, schedulers_, charges_, stats_),
      formed_(warps_, memory_, make_formation(scheme_, config)),
      progress_({warps_, frontend_, scoreboard_, execute_, memory_, attached_, events_, accounts_,
                 clock_, config.load_store.stores_hold_warps || formed_.forms()}),
      attached_({index, stats_, warps_, schedulers_, scoreboard_, operands_, memory_, progress_,
                 events_, charges_, faults_, global_, clock_}),
      results_({warps_, schedulers_, scoreboard_, operands_, events_, progress_, formed_}),
      issue_(
          {warps_, schedulers_, operands_, execute_, memory_, attached_, results_, progress_,
           formed_, scoreboard_, accounts_, charges_, faults_, host_clock_},
          {config.scheduler.dispatch_width, 1000.0 / config.gpu.core_mhz, config.gpu.keep_going}),
      residency_({warps_, schedulers_, frontend_, memory_, attached_, progress_, events_, accounts_,
                  charges_, global_, stats_, clock_, scheme_, lane_host_},
                 config, index),
      preemption_({warps_, memory_, attached_, progress_, residency_, events_, accounts_, charges_,
                   global_, clock_, mover_, contexts, preemption_stats_}) {
  lane_host_.formation = formed_.formation();
  memory_.add_listener(schedulers_);
  if (scheme_.subdivides) {
    subdivision_ = std::make_unique<Subdivision>(
        Subdivision::Parts{warps_, scoreboard_,
                           [this](unsigned warp, Cycle now) { progress_.start_parted(warp, now); }},
        config.scheduler.subdivision.value());
    if (subdivision_->divides()) subdivision_->set_arrivals(memory_.track_arrivals(*subdivision_));
    progress_.set_subdivision(subdivision_.get());
  }
  attached_.make_texture_unit(config, accounts_.accounted());
}

void Sm::cycle(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::front_end);
  accounts_.account_until(now);
  clock_.in_cycle = true;
  if (frontend_.fetching() && frontend_.receive(now)) progress_.look_for_instructions(now);
  if (mover_.waits()) [[unlikely]]
    mover_.receive(now);
  if (preemption_.restoring() != 0) [[unlikely]]
    preemption_.resume_restored(now);
  events_.take(now, [&](WarpEvent event) { take_event(event, now); });
  cycle_memory(now);
  if (!attached_.empty()) [[unlikely]]
    attached_.cycle(now);
  if (subdivision_ != nullptr) [[unlikely]]
    subdivision_->cycle(now);
  if (scheme_.follows_block) [[unlikely]]
    follow_blocks(now);
  if (warps_.resident != 0) {
    issue_.cycle(now);
    accounts_.count_cycle();
  }
  if (scheme_.follows_block) [[unlikely]]
    follow_blocks(now);
  if (frontend_.fetching()) frontend_.send(now);
  if (mover_.can_send()) [[unlikely]]
    mover_.send(now);
  accounts_.cycle_over(now);
  clock_.in_cycle = false;
  decide_wake(now);
}

/// Applies changes that warps have made to other warps of their block.
void Sm::follow_blocks(Cycle now) {
  for_each_block([&](ResidentBlock& block) {
    if (block.presence == ResidentBlock::Presence::running) progress_.follow_block(block, now);
  });
}

void Sm::cycle_memory(Cycle now) {
  const HostClock::Scope measured(host_clock_, HostUnit::load_store);
  memory_.cycle(now,
                [&](PathId id, std::uint32_t code) { results_.memory_completed(id, code, now); });
}

/// Handles an event that is due in this cycle.
inline void Sm::take_event(WarpEvent event, Cycle now) {
  switch (event.kind) {
    case WarpEvent::Kind::result:
      return results_.result(event.path, event.code, now);
    case WarpEvent::Kind::wake:
      return progress_.wake_path(event.path, now);
    case WarpEvent::Kind::memory_result:
      memory_.finish(event.path);
      return results_.memory_completed(event.path, event.code, now);
    case WarpEvent::Kind::memory_write:
      return results_.memory_written(event.path, event.code, now);
    case WarpEvent::Kind::unit_result:
    case WarpEvent::Kind::unit_write:
      return attached_.result_event(event, now);
  }
}

void Sm::decide_wake(Cycle now) {
  WarpMask ready = warps_.in(PathState::ready);
  if (!memory_.can_issue()) ready &= ~warps_.uses_load_store;
  const bool divides = subdivision_ != nullptr && subdivision_->pending();
  const bool at_once = ready != 0 || divides || frontend_.can_send() || mover_.can_send();
  clock_.set_wake(at_once ? now + 1 : std::min(events_.next_after(now), memory_.wake()));
  if (!attached_.empty()) [[unlikely]]
    clock_.rouse(attached_.wake());
}

void Sm::apply_global_writes() {
  global_.apply();
  if (!attached_.empty()) [[unlikely]]
    attached_.commit();
  if (!global_.late_faults().empty()) [[unlikely]]
    faults_.take_late(global_.late_faults());
}

bool Sm::retire_blocks(Cycle now, const BlockEnded& ended) {
  if (progress_.ended_blocks() == 0 && !memory_.stores_left().some_came()) return false;
  residency_.retire_ended(now, ended);
  progress_.clear_ended_blocks();
  return true;
}

void Sm::wake_warp(const isa::WarpContext& context, Cycle now) {
  ResidentBlock& block = *blocks()[context.block->slot];
  block.considered = false;
  if (block.leaving() && !block.forced) {
    accounts_.account_until(now + 1);
    return preemption_.resume(block, now);
  }
  progress_.wake_endless(block.warps[context.warp_in_block], now);
}

}  // namespace raddle::machine
