// Greedy then youngest: a warp issues until it cannot, then the youngest warp that can.
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

class GreedyThenYoungest : public WarpPolicy {
 public:
  unsigned pick(const ReadyWarps& warps) override {
    return (warps.ready & warp_bit(last_)) != 0 ? last_ : youngest_of(warps.ready, warps.ages);
  }
  bool is_order() const override { return true; }
  void issued(unsigned warp, const isa::Instruction&, Cycle) override { last_ = warp; }

 private:
  static unsigned youngest_of(WarpMask warps, const WarpAges& ages) {
    auto youngest = static_cast<unsigned>(std::countr_zero(warps));
    for (WarpMask rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (ages[warp] > ages[youngest]) youngest = warp;
    }
    return youngest;
  }

  unsigned last_ = 0;
};

}  // namespace

WarpPolicyKind greedy_then_youngest_kind() {
  return {.name = "gty",
          .meaning = "greedy then youngest",
          .source = "Huerta et al. 2025, section 5.1.2",
          .make = [](const WarpPolicySetup&) -> std::unique_ptr<WarpPolicy> {
            return std::make_unique<GreedyThenYoungest>();
          }};
}

}  // namespace raddle::machine
