// The work redistribution unit of a core (hardware-worklists, section III.C). At every interval, a
// scheme decides which banks give work to which banks, and which bank sends work to another core.
#include <algorithm>
#include <utility>

#include "mechanisms/hwwl/worklist_unit.h"

namespace raddle::mechanisms::hwwl {

CoreWork WorklistUnit::work(unsigned side) {
  for (unsigned bank = 0; bank < banks_.count(); ++bank) work_[bank] = banks_.occupied(side, bank);
  return {work_, config_.threshold, side == sides_.pull && backlog()};
}

void WorklistUnit::follow(const Plan& plan, unsigned side) {
  plan_ = plan;
  plan_side_ = side;
  planned_ = true;
  port_.rouse();
}

void WorklistUnit::give(WorklistUnit& to, const Transfer& transfer, unsigned side) {
  for (unsigned n = 0; n < transfer.ids; ++n) {
    if (banks_.size(side, transfer.from_bank) == 0) break;
    if (to.banks_.free(side, transfer.to_bank) == 0) break;
    to.banks_.push(side, transfer.to_bank, banks_.pop(side, transfer.from_bank));
    ++stats_.donated;
  }
  port_.rouse();
  to.port_.rouse();
}

bool WorklistUnit::has_work_to_move() const {
  if (!moves_) return false;
  return banks_.occupied(sides_.pull) != 0 || banks_.occupied(sides_.push()) != 0 || sees_greedy_;
}

/// Redistributes at every interval, or as soon after it as the port of the banks is free. Returns
/// true if it has taken the port.
bool WorklistUnit::redistribute(Cycle now) {
  if (!delayed_ && !planned_) return false;
  if (now < turn_of_others()) return false;
  const bool planned = std::exchange(planned_, false);  // by the scheme that decides for all cores
  delayed_ = false;
  bool moved = rescue(sides_.pull, now);
  if (!moved && planned) moved = execute(plan_, plan_side_, now);
  if (scheme_ != nullptr) {
    if (!moved) moved = redistribute(sides_.pull, now);
    if (!moved && sides_.double_buffered) moved = redistribute(sides_.push(), now);
  }
  if (moved) {
    ++stats_.redistributions;
    rests_until_ = port_free_ + 1;
  }
  return moved;
}

bool WorklistUnit::redistribute(unsigned side, Cycle now) {
  const CoreWork core = work(side);
  if (side == sides_.pull) sees_greedy_ = scheme_->greedy(core);
  plan_.clear();
  scheme_->plan(core, plan_);
  return execute(plan_, side, now);
}

/// The giving banks are read in this cycle, and the getting banks are written in the next one.
bool WorklistUnit::execute(const Plan& plan, unsigned side, Cycle now) {
  unsigned given = 0;
  for (const Plan::Donation& donation : plan.donations) {
    if (banks_.size(side, donation.from) == 0 || banks_.free(side, donation.to) == 0) continue;
    banks_.push(side, donation.to, banks_.pop(side, donation.from));
    ++given;
  }
  stats_.donated += given;
  const unsigned sent = send(plan, side, now);
  if (given != 0) {
    use_port(now, 2);
  } else if (sent != 0) {
    use_port(now, 1);
  }
  return given != 0 || sent != 0;
}

/// Sends work to other cores, and returns how many work ids. Work that is pushed for the next
/// kernel stays in its core.
unsigned WorklistUnit::send(const Plan& plan, unsigned side, Cycle now) {
  if (side != sides_.pull) return 0;
  unsigned sent = 0;
  for (const Plan::Send& one : plan.sends) {
    if (banks_.size(side, one.from) == 0 || !port_.messages()->can_send()) continue;
    const unsigned to = one.to != Plan::kAny ? one.to : next_core();
    if (to == Plan::kAny) continue;
    machine::Message message;
    message.to = static_cast<std::uint16_t>(to);
    message.words = {banks_.pop(side, one.from), epoch_};
    port_.messages()->send(message, now);
    ++sent;
  }
  in_flight_ += sent;
  stats_.sent += sent;
  return sent;
}

/// The next core in turn that is not greedy and from which lanes pull.
unsigned WorklistUnit::next_core() {
  const unsigned cores = view_.cores() - 1;
  for (unsigned n = 0; n < cores; ++n) {
    const unsigned core = (next_core_ + n) % cores;
    if (core == port_.sm() || view_[core].greedy || !view_[core].serving) continue;
    next_core_ = (core + 1) % cores;
    return core;
  }
  return Plan::kAny;
}

/// The cycle until which a bank counts as served, if a lane last pulled from it in cycle `last`.
/// The time is longer while a lane holds a work id, because that lane will pull again. An exception
/// is a lane that has left the loop and waits for other lanes of its warp which get no work.
Cycle WorklistUnit::served_after(Cycle last, bool held) const {
  constexpr Cycle kPatience = 100;
  return std::max(last, served_since_) + config_.unserved_after * (held ? kPatience : 1);
}

Cycle WorklistUnit::served_until(unsigned bank) const {
  bool held = false;
  for (unsigned lane = bank; lane < kWarpSize; lane += banks_.count()) held |= any_holds(lane);
  return served_after(last_pull_[bank], held);
}

Cycle WorklistUnit::served_until() const {
  return served_after(*std::max_element(last_pull_.begin(), last_pull_.end()), holds());
}

/// The first cycle in which a bank that is served at present is not.
Cycle WorklistUnit::next_unserved() const {
  Cycle next = kNever;
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if (const Cycle until = served_until(bank); until > now_) next = std::min(next, until);
  }
  return next;
}

/// The served banks, one bit for each.
LaneMask WorklistUnit::served_banks(Cycle now) const {
  LaneMask served = 0;
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if (is_served(bank, now)) served |= LaneMask{1} << bank;
  }
  return served;
}

/// Moves work out of banks from which no lane pulls. The paper's schemes would leave work there for
/// ever in three cases: there are fewer threads than the machine holds, or blocks have not started
/// yet, or blocks are away.
bool WorklistUnit::rescue(unsigned side, Cycle now) {
  rescue_.clear();
  unsigned to = Plan::kAny;
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if (!is_served(bank, now) || banks_.free(side, bank) == 0) continue;
    if (to == Plan::kAny || banks_.occupied(side, bank) < banks_.occupied(side, to)) to = bank;
  }
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if (is_served(bank, now) || banks_.size(side, bank) == 0) continue;
    if (to != Plan::kAny) {
      rescue_.donations.push_back({static_cast<std::uint8_t>(bank), static_cast<std::uint8_t>(to)});
    } else {
      const unsigned core = next_core();
      if (core == Plan::kAny) return false;
      rescue_.sends.push_back({bank, core});
    }
    const bool moved = execute(rescue_, side, now);
    stats_.rescued += moved ? 1 : 0;
    return moved;
  }
  return false;
}

}  // namespace raddle::mechanisms::hwwl
