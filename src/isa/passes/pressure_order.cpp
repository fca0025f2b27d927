// Orders of instructions that need fewer registers. The pass applies where a function needs more
// registers than it may have, so that values would be spilled, or so many that fewer than half of
// the warps are resident. From the end of a block backwards, it places the instruction that leaves
// the fewest values alive before it, so that values are made close to their uses. (J. Goodman, W.
// Hsu: Code Scheduling and Register Allocation in Large Basic Blocks, 1988: the half that minds
// registers; `schedule` is the half that minds latencies.) With at least half of the warps, loads
// in flight are worth more than further warps. This threshold is assumed: ptxas 13.0 takes 115 and
// 120 registers where the program's order needs 134 and 132 (docs/machine_code.md), and leaves
// loads in flight in kernels with 40.
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/dependences.h"
#include "isa/passes/pressure.h"
#include "isa/passes/stretches.h"

namespace raddle::isa {
namespace {

/// Most instructions that are ordered at once: the work grows with the square.
constexpr std::size_t kMostAtOnce = 2048;

/// Orders one stretch.
class BackwardOrder {
 public:
  BackwardOrder(const FunctionBody& body, const Stretch& stretch,
                const std::vector<std::vector<Dependence>>& dependences, const LiveSet& live_behind)
      : body_(body),
        stretch_(stretch),
        dependences_(dependences),
        live_(body.register_count(), false),
        waiting_(body.register_count(), 0),
        users_(stretch.size(), 0) {
    live_behind.for_each([&](std::uint32_t reg) { live_[reg] = true; });
    for (const InstructionId id : stretch) {
      body[id].for_each_read([&](std::uint32_t reg) { ++waiting_[reg]; });
    }
    for (const auto& of : dependences) {
      for (const Dependence& one : of) ++users_[one.on];
    }
  }

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t n = 0; n < users_.size(); ++n) {
      if (users_[n] == 0) make_ready(n);
    }
    while (!ready_.empty()) {
      const std::uint32_t n = take_best();
      order.push_back(n);
      step_back(n);
      for (const Dependence& one : dependences_[n]) {
        if (--users_[one.on] == 0) make_ready(one.on);
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  int size(std::uint32_t reg) const { return registers_of(body_, reg).general; }

  struct Price {
    int more = 0;     // registers alive before the instruction, beyond those after it
    int waiting = 0;  // uses of newly live values that cannot be placed yet and keep them alive
    bool operator<(const Price& o) const {
      return more != o.more ? more < o.more : waiting < o.waiting;
    }
    bool operator==(const Price&) const = default;
  };

  Price price(std::uint32_t n) const {
    const LirInstruction& lir = body_[stretch_[n]];
    Price price;
    if (!lir.keeps_others()) {
      lir.for_each_write([&](std::uint32_t reg) { price.more -= live_[reg] ? size(reg) : 0; });
    }
    lir.for_each_read([&](std::uint32_t reg) {
      if (live_[reg]) return;
      price.more += size(reg);
      price.waiting += waiting_[reg];
    });
    return price;
  }

  void make_ready(std::uint32_t n) {
    ready_.push_back(n);
    body_[stretch_[n]].for_each_read([&](std::uint32_t reg) { --waiting_[reg]; });
  }

  /// Among equals, takes the last of the program.
  std::uint32_t take_best() {
    std::size_t best = 0;
    Price lowest = price(ready_[0]);
    for (std::size_t at = 1; at < ready_.size(); ++at) {
      const Price here = price(ready_[at]);
      if (lowest < here || (here == lowest && ready_[at] < ready_[best])) continue;
      best = at;
      lowest = here;
    }
    const std::uint32_t n = ready_[best];
    ready_[best] = ready_.back();
    ready_.pop_back();
    return n;
  }

  void step_back(std::uint32_t n) {
    const LirInstruction& lir = body_[stretch_[n]];
    if (!lir.keeps_others()) lir.for_each_write([&](std::uint32_t reg) { live_[reg] = false; });
    lir.for_each_read([&](std::uint32_t reg) { live_[reg] = true; });
  }

  const FunctionBody& body_;
  const Stretch& stretch_;
  const std::vector<std::vector<Dependence>>& dependences_;
  std::vector<bool> live_;            // [register]
  std::vector<int> waiting_;          // [register] uses by instructions that are not ready
  std::vector<std::uint32_t> ready_;  // all users of their results are placed
  std::vector<std::uint32_t> users_;  // [instruction] users that are not placed yet
};

class PressureOrder : public Pass {
 public:
  explicit PressureOrder(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "pressure"; }
  const char* meaning() const override {
    return "order instructions for fewer registers where values would go to local memory, or fewer "
           "than half of the warps are resident";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const int before = most_needed(body).general;
    const int allowed = allowed_registers(body, target_) - kRegisterSlack;
    const int enough = before > allowed ? allowed : fewer_for_more_warps(before);
    std::vector<std::pair<BlockId, Stretch>> made;
    if (enough > 0) made = orders(body, enough);
    std::vector<std::pair<BlockId, Stretch>> old;
    for (auto& [block, order] : made) {
      old.emplace_back(block, body.instructions(block));
      body.reorder(block, std::move(order));
    }
    const int after = most_needed(body).general;
    const bool helps = after < before && (before > allowed || after <= enough);
    if (!helps) {
      for (auto& [block, order] : old) body.reorder(block, std::move(order));
    }
    notes.push_back(fmt::format("{} blocks in another order, with {} registers instead of {}",
                                helps ? made.size() : 0, helps ? after : before, before));
  }

 private:
  /// The most registers that let more warps be resident, where fewer than half are; else 0.
  int fewer_for_more_warps(int needed) const {
    const auto with_slack = static_cast<std::uint32_t>(needed + kRegisterSlack);
    const std::uint32_t room = target_.resident_warps(with_slack);
    if (2 * room >= target_.warps) return 0;
    for (std::uint32_t count = with_slack - 1; count > 0; --count) {
      if (target_.resident_warps(count) > room) return static_cast<int>(count) - kRegisterSlack;
    }
    return 0;
  }

  /// New orders for blocks that need more than `enough`, where the new order needs less.
  std::vector<std::pair<BlockId, Stretch>> orders(const FunctionBody& body, int enough) const {
    return reordered(
        body, target_, kMostAtOnce,
        [&](BlockId, const auto& part, const auto& dependences, const LiveSet& live_behind) {
          return order(body, part, dependences, live_behind, enough);
        });
  }

  static Stretch order(const FunctionBody& body, const Stretch& part,
                       const std::vector<std::vector<Dependence>>& dependences,
                       const LiveSet& live_behind, int enough) {
    if (part.size() < 2) return part;
    StretchValues values(body, part, live_behind);
    const int before = peak(values, part.size()).general;
    if (before <= enough) return part;
    const auto made = BackwardOrder(body, part, dependences, live_behind).run();
    if (peak(values, made).general >= before) return part;
    Stretch found;
    for (const std::uint32_t n : made) found.push_back(part[n]);
    return found;
  }

  PassTarget target_;
};

}  // namespace

std::shared_ptr<const Pass> pressure_order(const PassTarget& target) {
  return std::make_shared<PressureOrder>(target);
}

}  // namespace raddle::isa
