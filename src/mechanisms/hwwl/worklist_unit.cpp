#include "mechanisms/hwwl/worklist_unit.h"

#include <algorithm>

#include "mechanisms/hwwl/worklists.h"

namespace raddle::mechanisms::hwwl {

WorklistUnit::WorklistUnit(const HwwlConfig& config, Worklists& all, const SchemeKind& scheme,
                           unsigned cores, machine::SmPort& port)
    : CoreUnit(config, all, port),
      banks_(config.banks, config.bank_entries),
      overflow_(config, port, banks_, stats_),
      view_(cores + 1),
      scheme_(scheme.make_local == nullptr ? nullptr : scheme.make_local()),
      moves_(scheme.make_local != nullptr || scheme.make_global != nullptr),
      on_demand_(config.refill == "on_demand"),
      work_(config.banks),
      last_pull_(config.banks) {}

// ---- Calls from other parts, between cycles.

void WorklistUnit::configure(const Sides& sides, const Buffer& buffer) {
  sides_ = sides;
  banks_.configure(sides.double_buffered);
  overflow_.use(buffer, sides.double_buffered);
  pushes_.clear();
  arrived_from_.clear();
  in_flight_ = 0;
  planned_ = delayed_ = false;
  ++epoch_;
  port_.rouse();
}

/// Completes pushes that were on their way when the kernel ended, before the sides swap.
void WorklistUnit::boundary(const Sides& sides, Cycle now) {
  while (!pushes_.empty()) {
    port_free_ = now;
    pushes_.front().at = now;
    write_push(now);
  }
  sides_ = sides;
  planned_ = delayed_ = false;
  tell(now);
  port_.rouse();
}

/// The banks count as served from cycle `now` on. The other cores have to be told.
void WorklistUnit::started(Cycle now) {
  served_since_ = now;
  port_.rouse();
}

unsigned WorklistUnit::size(unsigned side) const {
  return banks_.occupied(side) + overflow_.in(side) + (side == sides_.pull ? in_flight_ : 0);
}

void WorklistUnit::acknowledged(Cycle now) {
  --in_flight_;
  tell(now);
}

bool WorklistUnit::any_work() const {
  if (moves_) return size(sides_.pull) != 0;
  // Without redistribution, no lane gets the work of a bank from which no lane pulls.
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if (banks_.occupied(sides_.pull, bank) != 0 && is_served(bank, now_)) return true;
  }
  return overflow_.in(sides_.pull) != 0 && serves(now_);
}

bool WorklistUnit::backlog() const { return config_.backlog && overflow_.in(sides_.pull) != 0; }

CoreBits WorklistUnit::bits() const {
  return {any_work(), holds(), sees_greedy_ || backlog(), serves(now_)};
}

void WorklistUnit::tell(Cycle now) {
  now_ = std::max(now_, now);
  const CoreBits now_bits = bits();
  if (now_bits == told_) return;
  told_ = now_bits;
  all_.tell(port_.sm(), now_bits, now);
}

void WorklistUnit::tell_if_changed() {
  if (!(bits() == told_)) port_.ask_commit();
}

void WorklistUnit::changed() { tell_if_changed(); }

// ---- Instructions.

unsigned WorklistUnit::steps(LaneMask lanes) const {
  unsigned steps = 0;
  for (unsigned first = 0; first < kWarpSize; first += banks_.count()) {
    const LaneMask window =
        banks_.count() == kWarpSize ? kAllLanes : ((LaneMask{1} << banks_.count()) - 1) << first;
    if ((lanes & window) != 0) ++steps;
  }
  return steps;
}

void WorklistUnit::use_port(Cycle now, unsigned cycles) {
  port_free_ = now + cycles;
  stats_.port_cycles += cycles;
}

bool WorklistUnit::can_issue(const isa::Instruction& instruction, Cycle now) const {
  if (is_pull(instruction)) return port_free(now);
  return pushes_.size() < config_.push_queue;
}

/// The token for a lane whose bank is empty. It is DONE when no core has work, which all cores see
/// at the same time; otherwise it is WAIT.
std::uint32_t WorklistUnit::token(Cycle now) {
  view_.advance(now);
  if (!moves_ && config_.when_empty == "done" && overflow_.in(sides_.pull) == 0) return kDone;
  const bool holders = !sides_.double_buffered && (holds() || view_.any_holds());
  return any_work() || view_.any_work() || holders ? kWait : kDone;
}

void WorklistUnit::pull(const UnitIssue& issue, Cycle now) {
  now_ = now;
  complete(issue, now);
  const unsigned cycles = steps(issue.lanes);
  use_port(now, cycles);
  std::uint32_t ids[kWarpSize];
  LaneMask missing = 0;
  for_lanes(issue.lanes, [&](unsigned lane) {
    const unsigned bank = bank_of(lane);
    last_pull_[bank] = now;
    if (banks_.size(sides_.pull, bank) != 0) {
      ids[lane] = banks_.pop(sides_.pull, bank);
    } else {
      missing |= LaneMask{1} << lane;
    }
  });
  hold(issue, issue.lanes & ~missing, now);
  const bool from_memory = missing != 0 && on_demand_ && overflow_.can_load(sides_.pull);
  const machine::UnitResult result = port_.reserve(issue, from_memory);
  const LaneMask loading = from_memory ? load(issue, missing, result) : 0;
  Cycle latency = config_.pull_latency;
  if (const LaneMask none = missing & ~loading; none != 0) {
    const std::uint32_t answer = token(now);
    if (answer == kWait && none == issue.lanes) latency = config_.wait_latency;
    for_lanes(none, [&](unsigned lane) { ids[lane] = answer; });
    (answer == kWait ? stats_.waits : stats_.dones) += static_cast<unsigned>(std::popcount(none));
  }
  const LaneMask known = issue.lanes & ~loading;
  port_.write(result, issue.instruction->d, known, ids);
  // All lanes of a warp wait for the lanes whose work ids are loaded (section III.D).
  if (loading == 0) port_.finish(result, known, now + cycles - 1 + latency);
  tell_if_changed();
}

/// Loads work ids from memory for lanes whose banks are empty. Returns the lanes that get one.
LaneMask WorklistUnit::load(const UnitIssue& issue, LaneMask missing, machine::UnitResult result) {
  const auto free =
      std::find_if(waiting_.begin(), waiting_.end(), [](const Waiting& one) { return !one.used; });
  const auto tag = static_cast<std::uint32_t>(free - waiting_.begin());
  unsigned served =
      overflow_.load_for(sides_.pull, static_cast<unsigned>(std::popcount(missing)), tag);
  LaneMask lanes = 0;
  for_lanes(missing, [&](unsigned lane) {
    if (served == 0) return;
    lanes |= LaneMask{1} << lane;
    --served;
  });
  if (free == waiting_.end()) waiting_.emplace_back();
  waiting_[tag] = {true, result, issue.instruction->d, lanes, issue.lanes & ~lanes, issue.warp};
  return lanes;
}

void WorklistUnit::returned(std::uint32_t tag, const std::uint32_t* values, Cycle now) {
  now_ = now;
  const Overflow::Loaded loaded = overflow_.returned(tag, values);
  if (loaded.for_pull) {
    Waiting& pull = waiting_[loaded.tag];
    std::uint32_t ids[kWarpSize];
    LaneMask got = 0;
    unsigned next = 0;
    for_lanes(pull.lanes, [&](unsigned lane) {
      const bool has = next < loaded.for_lanes;
      ids[lane] = has ? values[next++] : kWait;
      if (has) got |= LaneMask{1} << lane;
    });
    port_.write(pull.result, pull.slot, pull.lanes, ids);
    UnitIssue issue;
    issue.warp = pull.warp;
    hold(issue, got & pull.warp->live, now);
    port_.finish(pull.result, pull.lanes | pull.others, now + 1);
    pull.used = false;
  }
  tell_if_changed();
}

unsigned WorklistUnit::free_bank(unsigned side) const {
  unsigned bank = 0;
  while (bank < banks_.count() && banks_.free(side, bank) == 0) ++bank;
  return bank;
}

/// The place of each work id is chosen at issue, so that a push without room faults at once.
void WorklistUnit::push(const UnitIssue& issue, Cycle now) {
  now_ = now;
  const auto* ids = issue.warp->source<std::uint32_t>(issue.instruction->s[0]);
  Push push;
  push.at = issue.operands + 1;
  push.side = sides_.push();
  LaneMask rest = issue.lanes;
  for (; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    unsigned bank = bank_of(lane);
    if (banks_.free(push.side, bank) == 0 && !overflow_.room(push.side)) {
      bank = free_bank(push.side);  // a push faults only if all banks are full, too
      if (bank == banks_.count()) break;
    }
    if (banks_.free(push.side, bank) != 0) {
      banks_.reserve(push.side, bank);
      push.to_bank |= LaneMask{1} << lane;
      push.bank[lane] = static_cast<std::uint8_t>(bank);
    } else {
      overflow_.promise(push.side);
    }
    push.lanes |= LaneMask{1} << lane;
    push.id[lane] = ids[lane];
  }
  if (rest != 0) {
    for_lanes(push.to_bank, [&](unsigned lane) { banks_.release(push.side, push.bank[lane]); });
    for_lanes(push.lanes & ~push.to_bank, [&](unsigned) { overflow_.take_back(push.side); });
    return fail(issue, rest, all_.overflows(port_.sm(), banks_.limit(), overflow_.entries()));
  }
  stats_.pushed += static_cast<unsigned>(std::popcount(issue.lanes));
  pushes_.push_back(push);
  tell_if_changed();
}

// ---- The unit's cycle.

void WorklistUnit::cycle(Cycle now) {
  now_ = now;
  note_waiting(now);
  view_.advance(now);
  if (port_free(now)) write_push(now) || receive(now) || redistribute(now) || write_back(now);
  overflow_.cycle(sides_.pull, moves_ ? kAllLanes : served_banks(now), served_until(), now);
  tell_if_changed();
}

/// Notes since when a redistribution or loaded work ids wait for the port.
void WorklistUnit::note_waiting(Cycle now) {
  if (moves_ && now % config_.interval == 0 && has_work_to_move()) {
    if (delayed_) ++stats_.delayed;  // the redistribution of the last interval still waits
    delayed_ = true;
  }
  const bool waits = delayed_ || planned_ || overflow_.has_to_write();
  waits_since_ = waits ? std::min(waits_since_, now) : kNever;
}

Cycle WorklistUnit::wake() const {
  if (!all_.needed()) return kNever;
  Cycle at = overflow_.wake(sides_.pull, served_until(), now_);
  if (!pushes_.empty()) at = std::min(at, std::max(pushes_.front().at, port_free_));
  at = std::min(at, std::max(port_.messages()->ready_at(), port_free_));
  if (overflow_.has_to_write() || delayed_ || planned_) {
    const bool noted = waits_since_ != kNever;  // else note_waiting() must note it first
    at = std::min(at, noted ? std::max(turn_of_others(), now_ + 1) : now_ + 1);
  }
  if (has_work_to_move()) {
    const Cycle interval = config_.interval;
    at = std::min(at, (now_ / interval + 1) * interval);
  }
  // The broadcast state also changes without an event, when a bank stops counting as served.
  if (told_.serving) at = std::min(at, std::max(next_unserved(), now_ + 1));
  return at;
}

bool WorklistUnit::write_push(Cycle now) {
  if (pushes_.empty() || pushes_.front().at > now) return false;
  const Push push = pushes_.front();
  pushes_.pop_front();
  for_lanes(push.lanes, [&](unsigned lane) {
    if ((push.to_bank >> lane & 1) != 0) {
      banks_.fill(push.side, push.bank[lane], push.id[lane]);
    } else {
      overflow_.spill(push.side, push.id[lane]);
    }
  });
  if (push.to_bank != 0) {
    use_port(now, steps(push.to_bank));
    stats_.bank_peak.set(banks_.longest(push.side));
  }
  return true;
}

/// A work id from another core goes to the bank with the least work.
bool WorklistUnit::receive(Cycle now) {
  machine::MessageEndpoint& messages = *port_.messages();
  if (!messages.can_receive(now)) return false;
  unsigned best = 0;
  for (unsigned bank = 1; bank < banks_.count(); ++bank) {
    if (banks_.occupied(sides_.pull, bank) < banks_.occupied(sides_.pull, best)) best = bank;
  }
  if (banks_.free(sides_.pull, best) == 0) return false;  // wait until a lane has pulled
  const machine::Message message = messages.receive();
  if (message.words[1] != epoch_) return true;  // the program has emptied the worklist since
  banks_.push(sides_.pull, best, message.words[0]);
  arrived_from_.push_back(message.from);
  port_.ask_commit();
  ++stats_.received;
  use_port(now, 1);
  return true;
}

bool WorklistUnit::write_back(Cycle now) {
  if (now < turn_of_others() || !overflow_.write_back()) return false;
  use_port(now, 1);
  rests_until_ = port_free_ + 1;
  return true;
}

/// Pulls and pushes have priority at the port (sections III.C, III.D). Redistribution and loaded
/// work ids take the port when it was unused for a cycle, or when they have waited for an interval.
/// After that they leave it unused for a cycle.
Cycle WorklistUnit::turn_of_others() const {
  const Cycle idle = port_free_ + 1;
  const Cycle waited = waits_since_ == kNever ? kNever : waits_since_ + config_.interval;
  const Cycle patience = std::max(port_free_, waited);
  return std::max(std::min(idle, patience), rests_until_);
}

}  // namespace raddle::mechanisms::hwwl
