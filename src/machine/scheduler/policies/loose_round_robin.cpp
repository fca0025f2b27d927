// Loose round robin: the warps in cyclic order; a warp that cannot issue misses its turn.
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

class LooseRoundRobin : public WarpPolicy {
 public:
  unsigned pick(const ReadyWarps& warps) override { return next_after(warps.ready, last_); }
  bool is_order() const override { return true; }
  void issued(unsigned warp, const isa::Instruction&, Cycle) override { last_ = warp; }

 private:
  unsigned last_ = 0;
};

}  // namespace

WarpPolicyKind loose_round_robin_kind() {
  return {.name = "lrr",
          .meaning = "loose round robin",
          .source = "the baseline of the literature",
          .make = [](const WarpPolicySetup&) -> std::unique_ptr<WarpPolicy> {
            return std::make_unique<LooseRoundRobin>();
          }};
}

}  // namespace raddle::machine
