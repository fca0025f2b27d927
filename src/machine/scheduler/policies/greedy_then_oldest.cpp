// Greedy then oldest: a warp issues until it cannot, then the oldest warp that can.
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

class GreedyThenOldest : public WarpPolicy {
 public:
  unsigned pick(const ReadyWarps& warps) override {
    return (warps.ready & warp_bit(last_)) != 0 ? last_ : oldest_of(warps.ready, warps.ages);
  }
  bool is_order() const override { return true; }
  void issued(unsigned warp, const isa::Instruction&, Cycle) override { last_ = warp; }

 private:
  unsigned last_ = 0;
};

}  // namespace

WarpPolicyKind greedy_then_oldest_kind() {
  return {.name = "gto",
          .meaning = "greedy then oldest",
          .source = "Rogers et al., MICRO 2012",
          .make = [](const WarpPolicySetup&) -> std::unique_ptr<WarpPolicy> {
            return std::make_unique<GreedyThenOldest>();
          }};
}

}  // namespace raddle::machine
