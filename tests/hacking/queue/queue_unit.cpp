#include "queue/queue_unit.h"

#include <algorithm>
#include <bit>

#include "queue/queues.h"

namespace raddle::mechanisms::queue {
namespace {

enum MessageKind : std::uint32_t { kValue, kWanted };
constexpr unsigned kWarp = kWarpSize;

}  // namespace

void WaitingLanes::remove(unsigned warp, LaneMask lanes) {
  for (Group& group : waiting_) {
    if (group.warp == warp) group.lanes &= ~lanes;
  }
  std::erase_if(waiting_, [](const Group& group) { return group.lanes == 0; });
}

QueueUnit::QueueUnit(const QueueConfig& config, Queues& queues, unsigned sms, machine::SmPort& port)
    : config_(config),
      queues_(queues),
      sms_(sms),
      port_(port),
      stats_(port.statistics().unit<QueueStats>("queue")),
      woken_(machine::kMaxWarps),
      askers_(sms),
      relay_(sms) {}

/// A pull has no operands to wait for; values are pushed when the collectors have them.
bool QueueUnit::collects_operands(const isa::Instruction& instruction) const {
  return instruction.execute != execute_pull;
}

LaneMask QueueUnit::issue(const UnitIssue& issue, Cycle now) {
  next_issue_ = now + 1;  // one port
  if (issue.instruction->execute == execute_push) return push(issue);
  if (issue.instruction->execute == execute_pull) return pull(issue, now);
  return set_buffer(issue);
}

LaneMask QueueUnit::push(const UnitIssue& issue) {
  pushers_.remove(machine::warp_of(issue.path), issue.joined);
  const auto* values = issue.warp->source<std::uint32_t>(issue.instruction->s[0]);
  LaneMask rest = issue.lanes;
  for (; rest != 0 && room() != 0; rest &= rest - 1) {
    const Cycle at = arriving_.empty() ? 0 : arriving_.back().at;
    arriving_.push_back({std::max(at, issue.operands + 1), values[std::countr_zero(rest)]});
    ++stats_.pushed;
  }
  if (rest != 0) pushers_.add(machine::warp_of(issue.path), rest);
  stats_.waited += static_cast<unsigned>(std::popcount(rest));
  return rest;
}

LaneMask QueueUnit::pull(const UnitIssue& issue, Cycle now) {
  const unsigned warp = machine::warp_of(issue.path);
  pullers_.remove(warp, issue.joined);
  promised_ -= static_cast<unsigned>(std::popcount(woken_[warp] & issue.lanes));
  woken_[warp] &= ~issue.lanes;
  std::uint32_t pulled[kWarpSize];
  LaneMask rest = issue.lanes;
  for (; rest != 0 && !values_.empty(); rest &= rest - 1) {
    pulled[std::countr_zero(rest)] = values_.front();
    values_.pop_front();
    ++stats_.pulled;
  }
  if (rest != issue.lanes) {
    UnitIssue served = issue;
    served.lanes = issue.lanes & ~rest;
    const machine::UnitResult result = port_.reserve(served, true);
    port_.write(result, issue.instruction->d, served.lanes, pulled);
    port_.finish(result, served.lanes, now + config_.latency);
  }
  if (rest != 0) pullers_.add(warp, rest);
  stats_.waited += static_cast<unsigned>(std::popcount(rest));
  return rest;
}

/// One buffer serves all multiprocessors: they get their parts in commit().
LaneMask QueueUnit::set_buffer(const UnitIssue& issue) {
  const auto lane = static_cast<unsigned>(std::countr_zero(issue.lanes));
  new_buffer_ = {issue.warp->source<std::uint64_t>(issue.instruction->s[0])[lane],
                 issue.warp->source<std::uint32_t>(issue.instruction->s[1])[lane],
                 port_.blame(issue, lane)};
  port_.ask_commit();
  return 0;
}

void QueueUnit::commit(Cycle) { queues_.share(new_buffer_); }

void QueueUnit::use(const Buffer& buffer) {
  buffer_ = buffer;
  buffer_first_ = 0;
  port_.rouse();
}

unsigned QueueUnit::room() const {
  const std::size_t taken = values_.size() + arriving_.size();
  return taken < config_.capacity ? static_cast<unsigned>(config_.capacity - taken) : 0;
}

unsigned QueueUnit::spare() const {
  return values_.size() > promised_ ? static_cast<unsigned>(values_.size()) - promised_ : 0;
}

bool QueueUnit::can_wake() const {
  return (!pullers_.empty() && spare() != 0) || (!pushers_.empty() && room() != 0);
}

bool QueueUnit::can_send() const {
  if (!port_.messages()->can_send()) return false;
  const auto any = [](const auto& sms) {
    return std::any_of(sms.begin(), sms.end(), [](auto sm) { return sm != 0; });
  };
  return (wants_values() && !asked_ && sms_ > 1) || any(relay_) ||
         (pullers_.empty() && spare() != 0 && any(askers_));
}

bool QueueUnit::can_spill() const {
  return values_.size() >= config_.capacity / 4 * 3 && spilled_ + kWarp <= buffer_.words &&
         port_.can_access(machine::Priority::low);
}

bool QueueUnit::can_refill() const {
  return spilled_ != 0 && !refilling_ && values_.size() <= config_.capacity / 4 &&
         port_.can_access(machine::Priority::low);
}

Cycle QueueUnit::wake() const {
  if (can_wake() || can_send() || can_spill() || can_refill()) return 0;
  const Cycle arrives = arriving_.empty() ? kNever : arriving_.front().at;
  return std::min(arrives, port_.messages()->ready_at());
}

void QueueUnit::cycle(Cycle now) {
  for (; !arriving_.empty() && arriving_.front().at <= now; arriving_.pop_front()) {
    values_.push_back(arriving_.front().value);
  }
  receive(now);
  wake_waiting();
  send(now);
  if (can_spill()) spill();
  if (can_refill()) refill();
}

void QueueUnit::wake_waiting() {
  promised_ += pullers_.take(spare(), [&](unsigned warp, LaneMask lanes) {
    woken_[warp] |= lanes;
    port_.wake_lanes(warp, lanes);
  });
  pushers_.take(room(), [&](unsigned warp, LaneMask lanes) { port_.wake_lanes(warp, lanes); });
}

void QueueUnit::receive(Cycle now) {
  machine::MessageEndpoint& messages = *port_.messages();
  if (!messages.can_receive(now)) return;
  const machine::Message message = messages.receive();
  if (message.kind == kValue) {
    asked_ = false;
    if (message.words[1] == kernel_) {
      values_.push_back(message.words[0]);  // the queue has a place for one of each multiprocessor
    } else {
      ++stats_.dropped;
    }
    return;
  }
  const std::uint32_t asker = message.words[0];
  askers_[asker] = true;
  relay_[asker] = std::max(relay_[asker], message.words[1]);
}

/// One message a cycle: a value for who asked for one; a question that goes round; or one's own.
void QueueUnit::send(Cycle now) {
  if (!can_send()) return;
  machine::Message message;
  const auto asker = std::find(askers_.begin(), askers_.end(), true);
  if (pullers_.empty() && spare() != 0 && asker != askers_.end()) {
    message.kind = kValue;
    message.to = static_cast<std::uint16_t>(asker - askers_.begin());
    message.words = {values_.back(), kernel_};
    values_.pop_back();
    *asker = false;
    ++stats_.sent;
  } else {
    message.kind = kWanted;
    message.to = static_cast<std::uint16_t>((port_.sm() + 1) % sms_);
    const auto relayed =
        std::find_if(relay_.begin(), relay_.end(), [](std::uint32_t left) { return left != 0; });
    if (relayed != relay_.end()) {
      message.words = {static_cast<std::uint32_t>(relayed - relay_.begin()), *relayed - 1};
      *relayed = 0;
    } else {
      message.words = {port_.sm(), sms_ - 2};
      asked_ = true;
    }
  }
  port_.messages()->send(message, now);
}

/// Loads or stores words of the buffer, from its place `first` on.
void QueueUnit::move(unsigned first, unsigned count, bool load) {
  machine::UnitAccess access;
  access.type = load ? machine::AccessType::load : machine::AccessType::store;
  access.blame = &buffer_.from;
  for (unsigned n = 0; n < count; ++n) {
    access.lanes |= LaneMask{1} << n;
    access.address[n] = buffer_.base + Address{(first + n) % buffer_.words} * sizeof(std::uint32_t);
    if (load) continue;
    access.values[n] = values_.back();
    values_.pop_back();
  }
  const Access made{load, count, kernel_};
  const auto free = std::find_if(accesses_.begin(), accesses_.end(),
                                 [](const Access& one) { return one.values == 0; });
  access.tag = static_cast<std::uint32_t>(free - accesses_.begin());
  if (free == accesses_.end()) {
    accesses_.push_back(made);
  } else {
    *free = made;
  }
  port_.access(access, machine::Priority::low);
}

void QueueUnit::spill() {
  move((buffer_first_ + spilled_) % buffer_.words, kWarp, false);
  spilled_ += kWarp;
  stats_.spilled += kWarp;
}

void QueueUnit::refill() {
  const unsigned count = std::min(spilled_, kWarp);
  move(buffer_first_, count, true);
  buffer_first_ = (buffer_first_ + count) % buffer_.words;
  spilled_ -= count;
  refilling_ = true;
}

void QueueUnit::returned(std::uint32_t tag, const std::uint32_t* values, Cycle) {
  const Access access = accesses_[tag];
  accesses_[tag].values = 0;
  if (!access.load) return;
  if (access.kernel != kernel_) {
    stats_.dropped += access.values;
    return;
  }
  refilling_ = false;
  values_.insert(values_.end(), values, values + access.values);
  stats_.refilled += access.values;
}

/// A queue lasts as long as a kernel.
void QueueUnit::grid_ends(const machine::Grid&, Cycle) {
  stats_.dropped += values_.size() + arriving_.size() + spilled_;
  values_.clear();
  arriving_.clear();
  std::fill(askers_.begin(), askers_.end(), false);
  std::fill(relay_.begin(), relay_.end(), 0);
  buffer_ = {};
  spilled_ = 0;
  asked_ = refilling_ = false;
  ++kernel_;
}

void QueueUnit::forget(unsigned warp) {
  pullers_.remove(warp, kAllLanes);
  pushers_.remove(warp, kAllLanes);
  promised_ -= static_cast<unsigned>(std::popcount(woken_[warp]));
  woken_[warp] = 0;
}

}  // namespace raddle::mechanisms::queue
