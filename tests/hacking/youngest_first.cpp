// A warp scheduler policy: the warp that was placed last issues first. So the warps of a block
// drift apart, and do not all wait for memory at the same time.
#include <memory>

#include "machine/mechanism.h"
#include "machine/scheduler/policy.h"

namespace raddle::mechanisms::youngest_first {
namespace {

class YoungestFirst : public machine::WarpPolicy {
 public:
  unsigned pick(const machine::ReadyWarps& warps) override {
    // A loop over the bits of a mask: `rest & (rest - 1)` is without its lowest.
    auto youngest = static_cast<unsigned>(std::countr_zero(warps.ready));
    for (machine::WarpMask rest = warps.ready; rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (warps.ages[warp] > warps.ages[youngest]) youngest = warp;
    }
    return youngest;
  }
};

constexpr machine::WarpPolicyKind kPolicies[] = {
    {.name = "youngest_first",
     .meaning = "the warp that was placed last",
     .source = "HACKING.md",
     .make = [](const machine::WarpPolicySetup&) -> std::unique_ptr<machine::WarpPolicy> {
       return std::make_unique<YoungestFirst>();
     }}};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "youngest_first";
  kind.meaning = "a policy for scheduler.policy";
  kind.warp_policies = []() -> std::span<const machine::WarpPolicyKind> { return kPolicies; };
  return kind;
}

}  // namespace raddle::mechanisms::youngest_first
