#include "machine/sm/issue_stage.h"

#include <bit>
#include <utility>

#include "isa/semantics/movement.h"
#include "machine/mechanism.h"

namespace raddle::machine {
namespace {

/// Whether the scoreboard makes later instructions wait for its result. Behind the other kinds the
/// pipeline is empty, and units track their own results.
bool has_result(isa::Kind kind) {
  return kind == isa::Kind::compute || kind == isa::Kind::memory || kind == isa::Kind::warp_sync ||
         kind == isa::Kind::other;
}

/// Whether the warp has to fetch again after an instruction of this kind.
bool ends_fetch(isa::Kind kind) {
  switch (kind) {
    case isa::Kind::branch:
    case isa::Kind::call:
    case isa::Kind::ret:
    case isa::Kind::exit:
    case isa::Kind::barrier:
    case isa::Kind::builtin:
      return true;
    default:
      return false;
  }
}

}  // namespace

IssueStage::IssueStage(const Parts& parts, const Limits& limits) : p_(parts), limits_(limits) {
  for (unsigned s = 0; s < p_.schedulers.size(); ++s) owned_[s] = p_.schedulers[s].owned();
}

/// Inline, because it is asked for every ready warp.
[[gnu::always_inline]] inline bool IssueStage::can_issue(PathId id, unsigned scheduler,
                                                         Cycle now) const {
  const isa::Instruction& next = p_.warps.next(id);
  if (next.kind == isa::Kind::unit) [[unlikely]]
    return p_.attached.can_issue(next, now);
  return p_.execute.can_issue(next.klass, scheduler, now) &&
         (!LoadStore::takes(next.klass) || p_.memory.can_issue());
}

/// Finds the path from which a warp with a ready path issues. False: the units of its paths are
/// busy. `collectors`: an operand collector is free.
inline bool IssueStage::find_path(PathId& id, unsigned scheduler, bool collectors,
                                  Cycle now) const {
  if (p_.warps.paths() == 1) [[likely]]
    return can_issue(id, scheduler, now);
  return find_path_of_several(id, scheduler, collectors, now);
}

bool IssueStage::find_path_of_several(PathId& id, unsigned scheduler, bool collectors,
                                      Cycle now) const {
  const unsigned warp = warp_of(id);
  for (unsigned path = 0; path < p_.warps.paths(); ++path) {
    id = path_id(warp, path);
    if (p_.warps.state(id) != PathState::ready || !can_issue(id, scheduler, now)) continue;
    if (collectors || p_.warps.past_collectors_of(id)) return true;
  }
  return false;
}

/// `next` cannot issue. Returns the warps of `ready` whose next instruction has the same class, and
/// so cannot issue either. Instructions for mechanisms' units are judged one by one. A policy that
/// is not an order sees each instruction for the load-store unit, because it may hold it back.
WarpMask IssueStage::alike(WarpMask ready, const isa::Instruction& next, bool order) const {
  WarpMask same = 0;
  if (next.kind == isa::Kind::unit) return same;
  if (LoadStore::takes(next.klass)) {
    if (!order) return same;
    ready &= p_.warps.uses_load_store;
  }
  for (WarpMask rest = ready; rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    const isa::Instruction& other = p_.warps.next(path_id(warp, 0));
    if (other.klass == next.klass && other.kind != isa::Kind::unit) same |= warp_bit(warp);
  }
  return same;
}

/// One cycle of a scheduler. Inline: in most cycles there is nothing to choose from.
[[gnu::always_inline]] inline void IssueStage::schedule(unsigned index, Cycle now) {
  const WarpTable& warps = p_.warps;
  WarpMask ready = warps.in(PathState::ready)&owned_[index];
  if (ready != 0 && !p_.memory.can_issue()) ready &= ~warps.uses_load_store;
  if (ready == 0 || issuing_until_[index] > now) return p_.accounts.stalled(index, 1);
  schedule_ready(index, ready, now);
}

void IssueStage::cycle(Cycle now) {
  if (p_.warps.in(PathState::ready) == 0) return p_.accounts.all_stalled(1);
  // Another scheduler goes first each cycle, and so is first at shared units and the load-store
  // queue.
  const unsigned schedulers = p_.schedulers.size();
  unsigned turn = static_cast<unsigned>(now % schedulers);
  for (unsigned n = 0; n < schedulers; ++n) {
    schedule(turn, now);
    turn = turn + 1 == schedulers ? 0 : turn + 1;
  }
}

/// The policy picks a warp of `ready` that can issue.
void IssueStage::schedule_ready(unsigned index, WarpMask ready, Cycle now) {
  if (p_.formed.forms()) [[unlikely]] {
    p_.formed.begin_cycle(now);
    ready &= ~p_.formed.issued_by_others(index);
    if (ready == 0) return p_.accounts.stalled(index, 1);
  }
  bool collectors = true;
  if (!p_.operands.can_issue(index, now)) {
    collectors = false;
    ready &= p_.warps.past_collectors;
    if (ready == 0) return p_.accounts.operands_busy(owned_[index]);
  }
  if (p_.formed.leads()) [[unlikely]]
    return schedule_formed(index, ready, collectors, now);
  if (std::has_single_bit(ready) && p_.schedulers[index].is_order()) {
    return schedule_only(index, ready, collectors, now);
  }
  schedule_picked(index, ready, collectors, now);
}

/// Called where a warp issues: other warps may have waited for too long.
inline void IssueStage::count_patience(unsigned index, Cycle now) {
  WarpScheduler& scheduler = p_.schedulers[index];
  if (scheduler.patience().over(now)) [[unlikely]]
    scheduler.patience().begin_turn(p_.warps.in(PathState::ready)&owned_[index], now);
}

/// Only one warp is ready, and the policy would certainly pick it: there is no need to ask.
inline void IssueStage::schedule_only(unsigned index, WarpMask ready, bool collectors, Cycle now) {
  PathId id = path_id(static_cast<unsigned>(std::countr_zero(ready)), 0);
  if (find_path(id, index, collectors, now)) {
    count_patience(index, now);
    return start(id, index, now);
  }
  if (!p_.attached.empty()) [[unlikely]]
    check_stuck(index, ready, now);
  p_.accounts.stalled(index, 1);
}

/// The policy picks a warp of `ready`, which issues if its unit is free; otherwise the policy picks
/// again. Warps whose patience has ended go before the others.
void IssueStage::schedule_picked(unsigned index, WarpMask ready, bool collectors, Cycle now) {
  const WarpMask first = p_.schedulers[index].patience().first() & ready;
  bool nobody = false;  // the policy's choice
  if (first != 0 && issue_one_of(first, index, collectors, now, nobody)) [[unlikely]]
    return;
  if (!nobody && issue_one_of(ready & ~first, index, collectors, now, nobody)) return;
  if (nobody || !p_.attached.empty()) [[unlikely]]
    check_stuck(index, ready, now);
  p_.accounts.stalled(index, 1);
}

inline bool IssueStage::issue_one_of(WarpMask ready, unsigned index, bool collectors, Cycle now,
                                     bool& nobody) {
  WarpTable& warps = p_.warps;
  WarpPolicy& policy = p_.schedulers[index].policy();
  const bool order = p_.schedulers[index].is_order();
  const WarpMask near = warps.in(PathState::ready) | warps.in(PathState::execution) |
                        warps.in(PathState::no_instruction) | warps.in(PathState::fetch);
  ReadyWarps choice{ready,         ~near, warps.next_uses_load_store(),
                    warps.ages(),  now,   warps.next_of_warps(),
                    warps.blocks()};
  while (choice.ready != 0) {
    const unsigned warp = policy.pick(choice);
    if (warp >= kMaxWarps || (choice.ready & warp_bit(warp)) == 0) [[unlikely]] {
      nobody = warp == WarpPolicy::kNobody;
      if (nobody) return false;
      fail("scheduler.policy has picked warp {}, which is not ready", warp);
    }
    PathId id = path_id(warp, 0);
    if (find_path(id, index, collectors, now)) {
      count_patience(index, now);
      start(id, index, now);
      return true;
    }
    choice.ready &= ~warp_bit(warp);
    if (warps.paths() != 1) continue;
    choice.ready &= ~alike(choice.ready, warps.next(id), order);
  }
  return false;
}

/// None of these warps has issued, because the policy picked none or a mechanism's unit refuses.
/// Fails if this lasts so long that the warps certainly wait for ever.
void IssueStage::check_stuck(unsigned index, WarpMask ready, Cycle now) {
  constexpr Cycle kLongest = 1'000'000;
  Refusal& refusal = refused_[index];
  if (ready == 0) return;
  if (refusal.last != now && refusal.last + 1 != now) refusal.since = now;
  refusal.last = now;
  if (now - refusal.since < kLongest) return;
  for (WarpMask rest = ready; rest != 0; rest &= rest - 1) {
    p_.warps.for_each_path(static_cast<unsigned>(std::countr_zero(rest)), [&](PathId id) {
      if (p_.warps.state(id) != PathState::ready) return;
      const isa::Instruction& next = p_.warps.next(id);
      if (next.kind != isa::Kind::unit || p_.attached.can_issue(next, now)) return;
      fail(
          "the unit of {} has taken no instruction for {} cycles, in each of which this waited: {}",
          mechanism_kinds()[next.unit].name, kLongest, p_.warps.of(id).warp.why_waiting());
    });
  }
  fail("scheduler.policy has picked no warp for {} cycles, in each of which some were ready",
       kLongest);
}

/// As schedule_picked(), but the formation says whose instruction issues.
void IssueStage::schedule_formed(unsigned index, WarpMask ready, bool collectors, Cycle now) {
  PathId leader = 0;
  const bool found = ready != 0 && p_.formed.leader(index, leader, [&](PathId id) {
    return (ready & warp_bit(warp_of(id))) != 0 && can_issue(id, index, now) &&
           (collectors || p_.warps.past_collectors_of(id));
  });
  if (found) return start(leader, index, now);
  if (!p_.attached.empty()) check_stuck(index, ready, now);
  p_.accounts.stalled(index, 1);
}

/// The path issues, as often as it can in one cycle.
inline void IssueStage::start(PathId id, unsigned index, Cycle now) {
  WarpTable& warps = p_.warps;
  if (p_.charges.active()) [[unlikely]]
    p_.charges.issue(id);
  issue_from(id, index, now);
  for (unsigned n = 1; n < limits_.dispatch_width && warps.state(id) == PathState::ready; ++n) {
    if (issuing_until_[index] > now) break;
    if (!p_.operands.can_issue(index, now) || !can_issue(id, index, now)) break;
    if (p_.formed.leads() && p_.formed.lacks_parts(id, index)) break;
    p_.accounts.dual_issued();
    issue_from(id, index, now);
  }
  p_.accounts.issued();
}

inline void IssueStage::issue_from(PathId id, unsigned scheduler, Cycle now) {
  p_.schedulers[scheduler].policy().issued(warp_of(id), p_.warps.next(id), now);
  p_.schedulers[scheduler].patience().issued(warp_of(id));
  if (p_.formed.forms()) [[unlikely]]
    return issue_formed(id, scheduler, now);
  issue(id, scheduler, now);
}

/// Occupies its unit, and the scheduler for its further machine instructions (next.unit), and reads
/// its operands. Returns the cycles by which the operands come late.
inline Cycle IssueStage::begin(PathId id, unsigned scheduler, const isa::Instruction& next,
                               Cycle now) {
  const WarpSlot& slot = p_.warps.of(id);
  if (next.unit != 0 && next.kind == isa::Kind::compute)
    issuing_until_[scheduler] = now + 1 + next.unit;
  p_.execute.issue(next.klass, scheduler, now, ExecuteUnits::steps(next));
  if (next.operands_apart) [[unlikely]]
    return read_apart(id, scheduler, next, now);
  return p_.operands.read(scheduler, warp_of(id), slot.program->sources[slot.warp.pc(path_of(id))],
                          p_.execute.fixed_latency(next.klass), now);
}

/// Reads the operands of a pair, of one part after the other. A part without lanes reads none.
Cycle IssueStage::read_apart(PathId id, unsigned scheduler, const isa::Instruction& pair,
                             Cycle now) {
  WarpSlot& slot = p_.warps.of(id);
  slot.warp.show(path_of(id));  // the predicates of its function
  const LaneMask lanes = slot.warp.lanes(path_of(id));
  const bool fixed = p_.execute.fixed_latency(pair.klass);
  Cycle delay = 0;
  bool first = true;
  for (std::uint32_t part = pair.target; part < pair.target + pair.immediate; ++part) {
    if (isa::guarded(slot.program->code[part], slot.warp.context().predicates, lanes) == 0)
      continue;
    const isa::SourceRegisters& sources = slot.program->sources[part];
    if (first) {
      delay = p_.operands.read(scheduler, warp_of(id), sources, fixed, now);
      first = false;
    } else {
      delay += 1 + p_.operands.read_more(scheduler, warp_of(id), sources, fixed, now, delay + 1);
    }
  }
  return delay;
}

/// A division or root with operands that need the slow path. Returns the cycles by which the result
/// is later.
Cycle IssueStage::take_slow_path(PathId id, unsigned scheduler, const isa::Instruction& next) {
  Warp& warp = p_.warps.of(id).warp;
  warp.show(path_of(id));
  const isa::SlowPathCost cost = isa::slow_path_cost(warp.context(), next);
  issuing_until_[scheduler] += cost.instructions;
  return cost.cycles;
}

inline Step IssueStage::execute(WarpSlot& slot, unsigned path, Cycle now) {
  const HostClock::Scope measured(p_.host_clock, HostUnit::execute);
  slot.warp.context().now = now;
  return slot.warp.step(path);
}

void IssueStage::issue(PathId id, unsigned scheduler, Cycle now) {
  const isa::Instruction& next = p_.warps.next(id);
  if (next.kind == isa::Kind::unit) [[unlikely]]
    return issue_to_unit(id, scheduler, now);
  Cycle delay = begin(id, scheduler, next, now);
  if (next.slow_path != isa::SlowPath::none) [[unlikely]]
    delay += take_slow_path(id, scheduler, next);
  const Step step = execute(p_.warps.of(id), path_of(id), now);
  count(id, step);
  const bool keeps_order = (next.kind == isa::Kind::compute || next.kind == isa::Kind::memory) &&
                           next.slow_path == isa::SlowPath::none && !next.ends_segment;
  if (!keeps_order || step.then != Step::Then::proceed || p_.warps.paths() > 1) [[unlikely]]
    return after_step(id, step, delay, now);
  // The effect of after_step() for the most common instructions.
  if (step.lanes != 0) track_result(id, next, delay, now);
  go_on_behind(id, next, now);
}

inline void IssueStage::count(PathId id, const Step& step) {
  if (step.instruction != nullptr) {
    p_.accounts.executed(*p_.warps.of(id).block, static_cast<unsigned>(std::popcount(step.lanes)));
  }
  if (p_.charges.active()) [[unlikely]]
    p_.charges.step(id, step);
}

/// Lanes of several warps issue as one instruction.
void IssueStage::issue_formed(PathId leader, unsigned scheduler, Cycle now) {
  const IssueGroup& group = p_.formed.form(leader, scheduler);
  if (group.size == 1) return issue(leader, scheduler, now);
  const Cycle delay = begin(leader, scheduler, p_.warps.next(leader), now);
  std::array<Step, kWarpSize> steps;
  unsigned active = 0;
  for (unsigned n = 0; n < group.size; ++n) {
    const PathId id = group.paths[n];
    steps[n] = execute(p_.warps.of(id), path_of(id), now);
    active += static_cast<unsigned>(std::popcount(steps[n].lanes));
    if (p_.charges.active()) [[unlikely]]
      p_.charges.step(id, steps[n]);
  }
  p_.accounts.formed_issue();
  p_.accounts.executed(*p_.warps.of(leader).block, active);
  p_.formed.begin(steps);
  for (unsigned n = 0; n < group.size; ++n) after_step(group.paths[n], steps[n], delay, now);
  p_.formed.end();
}

/// The unit takes the place of Warp::step(). Lanes that the unit cannot serve yet wait at the
/// instruction; the others continue behind it.
void IssueStage::issue_to_unit(PathId id, unsigned scheduler, Cycle now) {
  WarpSlot& slot = p_.warps.of(id);
  const unsigned path = path_of(id);
  const isa::Instruction& next = p_.warps.next(id);
  SmUnit& unit = p_.attached.unit_of(next);
  const std::uint32_t code = slot.warp.pc(path);
  isa::WarpContext& context = slot.warp.context();
  context.now = now;
  Cycle delay = 0;
  if (!p_.warps.past_collectors_of(id)) {  // as the path said when the instruction became ready
    delay = p_.operands.read(scheduler, warp_of(id), slot.program->sources[code], false, now);
  }
  const LaneMask joined = slot.warp.join_parked(path);
  const LaneMask lanes = slot.warp.show(path);
  LaneMask waiting = 0;
  if (lanes != 0) {
    waiting =
        lanes & unit.issue({id, code, &next, &context, lanes, joined & lanes, now + delay}, now);
    if (context.fault.kind != isa::Fault::Kind::none) return fault(id, now);
  }
  if (waiting != 0) {
    const bool all = waiting == slot.warp.lanes(path);
    const Step step = slot.warp.park_lanes(path, waiting);
    if (all) return after_step(id, step, delay, now);
  }
  const Step step = slot.warp.pass(path, lanes & ~waiting);
  count(id, step);
  after_step(id, step, delay, now);
}

/// `delay`: cycles by which the operands of the instruction came late.
void IssueStage::after_step(PathId id, const Step& step, Cycle delay, Cycle now) {
  if (step.then == Step::Then::fault) return fault(id, now);
  // First of all, since lanes that continue elsewhere must wait for its result, too.
  const bool executed = step.instruction != nullptr && step.lanes != 0;
  if (executed && has_result(step.instruction->kind)) {
    track_result(id, *step.instruction, delay, now);
  }
  const unsigned warp = warp_of(id);
  if (executed && step.instruction->kind == isa::Kind::exit) {
    p_.attached.lanes_ended(p_.warps.of(id).warp.context(), step.lanes, now);
  }
  switch (step.then) {
    case Step::Then::exited:
      return p_.progress.end_warp(warp, now);
    case Step::Then::barrier:
      return p_.progress.arrive_at_barrier(warp, now);
    case Step::Then::parked:
      p_.warps.enter_whole(warp, PathState::parked);
      return p_.progress.release_barriers(*p_.warps[warp].block, now);
    default:
      break;
  }
  const bool runs_on = p_.warps.paths() == 1 || p_.progress.follow_paths(id, step, delay, now);
  if (step.instruction == nullptr) {  // its lanes only waited for others
    if (runs_on) p_.progress.look_at_next(id, now);
    return;
  }
  const isa::Instruction& instruction = *step.instruction;
  if (ends_fetch(instruction.kind)) {
    // Lanes that ended or arrived may have been the last that a barrier waited for.
    p_.progress.release_barriers(*p_.warps[warp].block, now);
    if (!runs_on) return;
    const Cycle until = now + delay + p_.execute.latency(instruction.klass);
    return p_.progress.wait_until(id, PathState::fetch, until, now);
  }
  if (!runs_on) return;
  if (instruction.ends_segment && leaves_line(id, instruction)) [[unlikely]] {
    const Cycle until = now + delay + p_.execute.latency(isa::Class::branch);
    return p_.progress.wait_until(id, PathState::fetch, until, now);
  }
  if (instruction.slow_path != isa::SlowPath::none && step.lanes != 0) {
    const Cycle until = now + delay + p_.execute.latency(instruction);
    return p_.progress.wait_until(id, PathState::fetch, until, now);
  }
  go_on_behind(id, instruction, now);
}

/// In a joint sequence: the path continues elsewhere than behind the instruction, and has to fetch.
bool IssueStage::leaves_line(PathId id, const isa::Instruction& behind) const {
  const WarpSlot& slot = p_.warps.of(id);
  return &slot.program->code[slot.warp.pc(path_of(id))] != &behind + 1;
}

inline void IssueStage::go_on_behind(PathId id, const isa::Instruction& instruction, Cycle now) {
  const WarpSlot& slot = p_.warps.of(id);
  if (instruction.kind == isa::Kind::other && slot.warp.context().event != 0) return sleep(id, now);
  const bool fence = instruction.klass == isa::Class::fence && instruction.kind != isa::Kind::unit;
  if (fence) return p_.progress.wait_at_fence(id, instruction.execute != isa::execute_nothing, now);
  p_.progress.look_at_next(id, now);
}

/// nanosleep: the instruction has left the duration, in nanoseconds, in the warp's context.
void IssueStage::sleep(PathId id, Cycle now) {
  isa::WarpContext& context = p_.warps.of(id).warp.context();
  const double nanoseconds = static_cast<double>(std::exchange(context.event, 0));
  const auto cycles = static_cast<Cycle>(nanoseconds / limits_.ns_per_cycle);
  p_.progress.wait_until(id, PathState::asleep, now + 1 + cycles, now);
}

/// Makes instructions that use the result wait for it.
[[gnu::always_inline]] inline void IssueStage::track_result(PathId id,
                                                            const isa::Instruction& instruction,
                                                            Cycle delay, Cycle now) {
  const WarpSlot& slot = p_.warps.of(id);
  const auto code = static_cast<std::uint32_t>(&instruction - slot.program->code.data());
  if (instruction.kind == isa::Kind::memory && slot.warp.context().access.lanes != 0) {
    p_.scoreboard.reserve_memory(id, slot.program->writes[code]);
    return issue_access(id, code, instruction, now);
  }
  if (slot.program->writes[code].empty()) return;
  p_.results.book(id, code, p_.execute.fixed_latency(instruction.klass),
                  now + delay + p_.execute.latency(instruction), now);
}

void IssueStage::issue_access(PathId id, std::uint32_t code, const isa::Instruction& instruction,
                              Cycle now) {
  isa::WarpContext& context = p_.warps.of(id).warp.context();
  if (p_.attached.watched() && !p_.formed.rides_along(id)) [[unlikely]]
    p_.attached.tell_watchers(id, code, context.access, now);
  const HostClock::Scope measured(p_.host_clock, HostUnit::load_store);
  if (context.access.space == isa::MemoryAccess::Space::texture) {
    p_.attached.texture().issue({id, code, &instruction, &context, context.access.lanes, 0, now},
                                now);
    return;
  }
  LoadStore::Cost cost;
  if (!p_.formed.issue_access(id, code, cost)) cost = p_.memory.issue(id, code, context);
  if (p_.charges.active()) [[unlikely]]
    p_.charges.access(id, code, cost);
}

void IssueStage::fault(PathId id, Cycle now) {
  WarpSlot& slot = p_.warps.of(id);
  isa::WarpContext& context = slot.warp.context();
  const std::uint32_t part = context.fault.part;
  p_.faults.add(slot, context.fault, part != 0 ? part : slot.warp.pc(path_of(id)));
  if (!limits_.keep_going) return p_.warps.enter_whole(warp_of(id), PathState::ended);
  context.access.lanes = 0;
  after_step(id, slot.warp.skip_faulting(path_of(id)), 0, now);
}

}  // namespace raddle::machine
