// Two levels: round robin inside a small group. A warp that starts a long wait leaves the group,
// and the next ready warp outside takes its place (Narasiman et al., MICRO 2011).
#include "machine/scheduler/config.h"
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

class TwoLevel : public WarpPolicy {
 public:
  explicit TwoLevel(unsigned group_size) : group_size_(group_size) {}

  unsigned pick(const ReadyWarps& warps) override {
    group_ &= ~warps.away;
    WarpMask outside = warps.ready & ~group_;
    while (outside != 0 && static_cast<unsigned>(std::popcount(group_)) < group_size_) {
      const unsigned warp = next_after(outside, last_);
      group_ |= warp_bit(warp);
      outside &= ~warp_bit(warp);
    }
    // If no warp of the group is ready, a ready warp outside issues, rather than none.
    const WarpMask inside = warps.ready & group_;
    return next_after(inside != 0 ? inside : warps.ready, last_);
  }
  void issued(unsigned warp, const isa::Instruction&, Cycle) override { last_ = warp; }

 private:
  unsigned group_size_;
  unsigned last_ = 0;
  WarpMask group_ = 0;  // the active group
};

}  // namespace

WarpPolicyKind two_level_kind() {
  return {.name = "two_level",
          .meaning = "loose round robin within a group of scheduler.active_warps",
          .source = "Narasiman et al., MICRO 2011",
          .make = [](const WarpPolicySetup& setup) -> std::unique_ptr<WarpPolicy> {
            return std::make_unique<TwoLevel>(setup.config.active_warps);
          }};
}

}  // namespace raddle::machine
