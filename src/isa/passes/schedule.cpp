// List scheduling within basic blocks: of the instructions whose operands have been issued, the one
// that the longest chain of results waits for goes next, as if the warp ran alone; where registers
// are short, the one that frees most. (S. Muchnick, Advanced Compiler Design and Implementation,
// 17.1; pressure after J. Goodman, W. Hsu: Code Scheduling and Register Allocation in Large Basic
// Blocks, 1988.)
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/dependences.h"
#include "isa/passes/pressure.h"
#include "isa/passes/stretches.h"

namespace raddle::isa {
namespace {

/// What is ordered at once: the work grows with the square.
constexpr std::size_t kLongest = 256;
/// Predicates that hardware has for a thread.
constexpr int kPredicates = 7;

/// Orders one stretch.
class ListScheduler {
 public:
  ListScheduler(const FunctionBody& body, const PassTarget& target, const Stretch& stretch,
                const std::vector<std::vector<Dependence>>& dependences, StretchValues& values)
      : dependences_(dependences), values_(values), users_(stretch.size()) {
    height_.resize(stretch.size());
    for (std::uint32_t n = 0; n < stretch.size(); ++n) {
      const LirInstruction& lir = body[stretch[n]];
      bool writes = false;
      lir.for_each_write([&](std::uint32_t) { writes = true; });
      height_[n] = writes ? target.latency_of(lir.out.klass) : 1;
      for (const Dependence& one : dependences[n]) users_[one.on].push_back(n);
    }
    for (auto n = static_cast<std::uint32_t>(stretch.size()); n-- > 0;) {
      for (const Dependence& one : dependences[n]) {
        height_[one.on] = std::max(height_[one.on], height_[n] + one.latency);
      }
    }
  }

  /// With at most `limit` registers, as far as that can be helped.
  std::vector<std::uint32_t> order(const RegisterCount& limit) {
    const auto count = static_cast<std::uint32_t>(users_.size());
    values_.restart();
    live_ = values_.at_start();
    limit_ = limit;
    earliest_.assign(count, 0);
    missing_.resize(count);
    ready_.clear();
    for (std::uint32_t n = 0; n < count; ++n) {
      missing_[n] = dependences_[n].size();
      if (missing_[n] == 0) ready_.push_back(n);
    }
    std::vector<std::uint32_t> made;
    made.reserve(count);
    for (std::uint32_t now = 0; made.size() < count; ++now) {
      const std::uint32_t n = next(now);
      now = std::max(now, earliest_[n]);
      issue(n, now);
      made.push_back(n);
    }
    return made;
  }

 private:
  bool fits(std::uint32_t n) const {
    const RegisterCount more = values_.written(n);
    return (more.general <= 0 || live_.general + more.general <= limit_.general) &&
           (more.predicates <= 0 || live_.predicates + more.predicates <= limit_.predicates);
  }

  /// Taken from the ready ones.
  std::uint32_t next(std::uint32_t now) {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      const bool now_a = earliest_[a] <= now, now_b = earliest_[b] <= now;
      if (now_a != now_b) return now_a;
      if (!now_a && earliest_[a] != earliest_[b]) return earliest_[a] < earliest_[b];
      if (height_[a] != height_[b]) return height_[a] > height_[b];
      return a < b;
    };
    std::size_t best = ready_.size();
    for (std::size_t n = 0; n < ready_.size(); ++n) {
      if (!fits(ready_[n])) continue;
      if (best == ready_.size() || before(ready_[n], ready_[best])) best = n;
    }
    if (best == ready_.size()) best = least();
    const std::uint32_t chosen = ready_[best];
    ready_[best] = ready_.back();
    ready_.pop_back();
    return chosen;
  }

  /// Nothing fits: as the program has it, which has needed no more than it does.
  std::size_t least() const {
    return static_cast<std::size_t>(std::min_element(ready_.begin(), ready_.end()) -
                                    ready_.begin());
  }

  void issue(std::uint32_t n, std::uint32_t now) {
    live_ += values_.change(n);
    values_.issue(n);
    for (const std::uint32_t user : users_[n]) {
      for (const Dependence& one : dependences_[user]) {
        if (one.on == n) earliest_[user] = std::max(earliest_[user], now + one.latency);
      }
      if (--missing_[user] == 0) ready_.push_back(user);
    }
  }

  const std::vector<std::vector<Dependence>>& dependences_;
  StretchValues& values_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<std::uint32_t> height_;  // cycles from its issue to the end of all that needs it
  std::vector<std::uint32_t> earliest_;
  std::vector<std::size_t> missing_;
  std::vector<std::uint32_t> ready_;
  RegisterCount live_, limit_;
};

class Schedule : public Pass {
 public:
  explicit Schedule(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "schedule"; }
  const char* meaning() const override {
    return "order the instructions of basic blocks by latency, within the registers";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const RegisterCount before = most_needed(body);
    RegisterCount limit = before;
    // Who says how many blocks have to fit leaves the rest to the assembler, which takes it.
    const int allowed = allowed_registers(body, target_);
    limit.general = body.function().minnctapersm != 0
                        ? allowed
                        : static_cast<int>(target_.same_occupancy(
                              static_cast<std::uint32_t>(before.general) + kRegisterSlack));
    limit.general = std::min(limit.general, allowed);
    limit.general = std::max(limit.general - kRegisterSlack, before.general);
    limit.predicates = std::max(before.predicates, kPredicates - 1);
    auto made =
        reordered(body, target_, kLongest,
                  [&](const auto& part, const auto& dependences, const LiveSet& live_behind) {
                    return schedule_part(body, part, dependences, live_behind, limit);
                  });
    notes.push_back(fmt::format("{} blocks in another order, with at most {} registers",
                                made.size(), limit.general));
    for (auto& [block, order] : made) body.reorder(block, std::move(order));
  }

 private:
  Stretch schedule_part(const FunctionBody& body, const Stretch& part,
                        const std::vector<std::vector<Dependence>>& dependences,
                        const LiveSet& live_behind, const RegisterCount& limit) const {
    if (part.size() < 2) return part;
    StretchValues values(body, part, live_behind);
    ListScheduler scheduler(body, target_, part, dependences, values);
    // The greedy choice may end up with more than it was allowed.
    constexpr int kTries = 4;
    RegisterCount allowed = limit;
    for (int tries = 0; tries < kTries; ++tries) {
      const std::vector<std::uint32_t> order = scheduler.order(allowed);
      const RegisterCount needed = peak(values, order);
      if (needed.general <= limit.general && needed.predicates <= limit.predicates) {
        Stretch made;
        for (const std::uint32_t n : order) made.push_back(part[n]);
        return made;
      }
      allowed.general -= std::max(needed.general - limit.general, 1);
      allowed.predicates -= std::max(needed.predicates - limit.predicates, 0);
    }
    return part;
  }

  PassTarget target_;
};

}  // namespace

std::shared_ptr<const Pass> schedule(const PassTarget& target) {
  return std::make_shared<Schedule>(target);
}

}  // namespace raddle::isa
