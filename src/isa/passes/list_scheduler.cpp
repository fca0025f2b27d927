#include "isa/passes/list_scheduler.h"

#include <algorithm>
#include <numeric>

namespace raddle::isa {

ListScheduler::ListScheduler(const FunctionBody& body, const PassTarget& target,
                             const Stretch& stretch,
                             const std::vector<std::vector<Dependence>>& dependences,
                             const LiveSet& live_behind)
    : dependences_(dependences), values_(body, stretch, live_behind), users_(stretch.size()) {
  height_.resize(stretch.size());
  for (std::uint32_t n = 0; n < stretch.size(); ++n) {
    const LirInstruction& lir = body[stretch[n]];
    bool writes = false;
    lir.for_each_write([&](std::uint32_t) { writes = true; });
    height_[n] = writes ? target.latency_of(lir.out.klass) : 1;
    loads_.push_back(writes && lir.out.kind == Kind::memory);
    for (const Dependence& one : dependences[n]) users_[one.on].push_back(n);
  }
  for (auto n = static_cast<std::uint32_t>(stretch.size()); n-- > 0;) {
    for (const Dependence& one : dependences[n]) {
      height_[one.on] = std::max(height_[one.on], height_[n] + one.latency);
    }
  }
  highest_.resize(stretch.size());
  std::iota(highest_.begin(), highest_.end(), 0);
  std::stable_sort(highest_.begin(), highest_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return height_[a] > height_[b]; });
}

std::optional<ListScheduler::Order> ListScheduler::within(const RegisterCount& limit) {
  // The greedy choice may need more registers than allowed.
  constexpr int kTries = 4;
  RegisterCount allowed = limit;
  for (int tries = 0; tries < kTries; ++tries) {
    Order order = greedy(allowed, false);
    if (was_short_) {
      Order patient = greedy(allowed, true);
      if (patient.cycles < order.cycles) order = std::move(patient);
    }
    const RegisterCount needed = peak(values_, order.places);
    if (needed.general <= limit.general && needed.predicates <= limit.predicates) return order;
    allowed.general -= std::max(needed.general - limit.general, 1);
    allowed.predicates -= std::max(needed.predicates - limit.predicates, 0);
  }
  return std::nullopt;
}

RegisterCount ListScheduler::needed() { return peak(values_, users_.size()); }

ListScheduler::Order ListScheduler::greedy(const RegisterCount& limit, bool patient) {
  const auto count = static_cast<std::uint32_t>(users_.size());
  values_.restart();
  live_ = values_.at_start();
  limit_ = limit;
  patient_ = patient;
  was_short_ = false;
  issued_.assign(count, false);
  next_highest_ = 0;
  earliest_.assign(count, 0);
  missing_.resize(count);
  ready_.clear();
  for (std::uint32_t n = 0; n < count; ++n) {
    missing_[n] = dependences_[n].size();
    if (missing_[n] == 0) ready_.push_back(n);
  }
  Order made;
  made.places.reserve(count);
  for (std::uint32_t now = 0; made.places.size() < count; ++now) {
    const std::uint32_t n = next(now);
    now = std::max(now, earliest_[n]);
    issue(n, now);
    made.places.push_back(n);
    made.cycles = now;
  }
  return made;
}

bool ListScheduler::fits(std::uint32_t n) const {
  const RegisterCount more = values_.written(n);
  return (more.general <= 0 || live_.general + more.general <= limit_.general) &&
         (more.predicates <= 0 || live_.predicates + more.predicates <= limit_.predicates);
}

/// Removes it from the ready ones.
std::uint32_t ListScheduler::next(std::uint32_t now) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const bool now_a = earliest_[a] <= now, now_b = earliest_[b] <= now;
    if (now_a != now_b) return now_a;
    if (!now_a && earliest_[a] != earliest_[b]) return earliest_[a] < earliest_[b];
    if (height_[a] != height_[b]) return height_[a] > height_[b];
    return a < b;
  };
  while (issued_[highest_[next_highest_]]) ++next_highest_;
  std::size_t best = ready_.size();
  bool some_wait = false;
  for (std::size_t n = 0; n < ready_.size(); ++n) {
    if (!fits(ready_[n])) {
      was_short_ = true;
      continue;
    }
    if (patient_ && can_wait(ready_[n])) {
      some_wait = true;
      continue;
    }
    if (best == ready_.size() || before(ready_[n], ready_[best])) best = n;
  }
  if (best == ready_.size() && some_wait) {
    for (std::size_t n = 0; n < ready_.size(); ++n) {
      if (fits(ready_[n]) && (best == ready_.size() || before(ready_[n], ready_[best]))) best = n;
    }
  }
  if (best == ready_.size()) best = least();
  const std::uint32_t chosen = ready_[best];
  ready_[best] = ready_.back();
  ready_.pop_back();
  return chosen;
}

/// Whether the value is needed much later than it could be made, and its operands free no register.
/// Loads never wait: they may take longer than expected.
bool ListScheduler::can_wait(std::uint32_t n) const {
  constexpr std::uint32_t kSoon = 32;  // cycles
  return !loads_[n] && height_[n] + kSoon < height_[highest_[next_highest_]] &&
         values_.change(n).general > 0;
}

/// No instruction fits: take the next one of the program's order, whose need is within the limit.
std::size_t ListScheduler::least() const {
  return static_cast<std::size_t>(std::min_element(ready_.begin(), ready_.end()) - ready_.begin());
}

void ListScheduler::issue(std::uint32_t n, std::uint32_t now) {
  live_ += values_.change(n);
  values_.issue(n);
  issued_[n] = true;
  for (const std::uint32_t user : users_[n]) {
    for (const Dependence& one : dependences_[user]) {
      if (one.on == n) earliest_[user] = std::max(earliest_[user], now + one.latency);
    }
    if (--missing_[user] == 0) ready_.push_back(user);
  }
}

}  // namespace raddle::isa
