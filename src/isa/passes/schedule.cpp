// List scheduling within basic blocks, and within loops before values are spilled.
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/list_scheduler.h"
#include "isa/passes/loops.h"

namespace raddle::isa {
namespace {

/// Predicates a thread in hardware.
constexpr int kPredicates = 7;

Stretch in_order(const Stretch& part, const std::vector<std::uint32_t>& places) {
  Stretch made;
  for (const std::uint32_t n : places) made.push_back(part[n]);
  return made;
}

class Schedule : public Pass {
 public:
  explicit Schedule(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "schedule"; }
  const char* meaning() const override {
    return "order the instructions of basic blocks by latency, within the registers; on compute "
           "capability 7.0 and later, on either side of divisions and roots that may call a slow "
           "path";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const RegisterCount before = most_needed(body);
    RegisterCount limit = before;
    // A kernel that says how many blocks must fit leaves all registers under that limit to the
    // assembler, which uses them.
    const int allowed = allowed_registers(body, target_);
    limit.general = body.function().minnctapersm != 0
                        ? allowed
                        : static_cast<int>(target_.same_occupancy(
                              static_cast<std::uint32_t>(before.general) + kRegisterSlack));
    limit.general = std::min(limit.general, allowed);
    limit.general = std::max(limit.general - kRegisterSlack, before.general);
    limit.predicates = std::max(before.predicates, kPredicates - 1);
    auto made = reordered(
        body, target_, ListScheduler::kLongest,
        [&](BlockId, const auto& part, const auto& dependences, const LiveSet& live_behind) {
          if (part.size() < 2) return part;
          const auto order =
              ListScheduler(body, target_, part, dependences, live_behind).within(limit);
          return order ? in_order(part, order->places) : part;
        });
    notes.push_back(fmt::format("{} blocks in another order, with at most {} registers",
                                made.size(), limit.general));
    for (auto& [block, order] : made) body.reorder(block, std::move(order));
    // Pairs that begin at even numbers may leave gaps; the gaps must not reduce the resident warps.
    body.lower_register_limit(static_cast<std::uint32_t>(limit.general + kRegisterSlack));
  }

 private:
  PassTarget target_;
};

/// Values that live through a loop without use can wait for its end in local memory. This costs
/// once, and more loads in flight gain in each round. The gain that a round must have is assumed: a
/// quarter of its cycles. (ptxas 13.0 stores registers before a loop to load eight values at once
/// instead of two, but does not where 267 cycles would become 218: docs/machine_code.md.)
class LoopSchedule : public Pass {
 public:
  explicit LoopSchedule(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "loop_schedule"; }
  const char* meaning() const override {
    return "order the instructions of loops by latency with the registers of values that only live "
           "through them, which then go to local memory";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const int allowed = allowed_registers(body, target_) - kRegisterSlack;
    const Loops loops(body);
    auto made = reordered(
        body, target_, ListScheduler::kLongest,
        [&](BlockId block, const auto& part, const auto& dependences, const LiveSet& live_behind) {
          if (part.size() < 2 || loops.depth(block) == 0) return part;
          ListScheduler scheduler(body, target_, part, dependences, live_behind);
          const RegisterCount now = scheduler.needed();
          const RegisterCount bound{allowed, std::max(now.predicates, kPredicates - 1)};
          const RegisterCount more{allowed + living_through(body, loops, block), bound.predicates};
          const auto without = scheduler.within(bound), with = scheduler.within(more);
          const bool worth = with && now.general <= more.general &&
                             (!without || with->cycles * 4 <= without->cycles * 3);
          return worth ? in_order(part, with->places) : part;
        });
    notes.push_back(fmt::format("{} blocks in another order", made.size()));
    for (auto& [block, order] : made) body.reorder(block, std::move(order));
  }

 private:
  /// Registers of values that live through the innermost loop around the block and that it does not
  /// name.
  static int living_through(const FunctionBody& body, const Loops& loops, BlockId block) {
    std::vector<bool> named(body.register_count(), false);
    for (const BlockId inside : loops.blocks_of(block)) {
      for (const InstructionId id : body.instructions(inside)) {
        body[id].for_each_read([&](std::uint32_t reg) { named[reg] = true; });
        body[id].for_each_write([&](std::uint32_t reg) { named[reg] = true; });
      }
    }
    int count = 0;
    for (const std::uint32_t reg : body.live_out(block)) {
      if (!named[reg]) count += registers_of(body, reg).general;
    }
    return count;
  }

  PassTarget target_;
};

}  // namespace

std::shared_ptr<const Pass> schedule(const PassTarget& target) {
  return std::make_shared<Schedule>(target);
}

std::shared_ptr<const Pass> loop_schedule(const PassTarget& target) {
  return std::make_shared<LoopSchedule>(target);
}

}  // namespace raddle::isa
