// A scheme of lane control: the side of a branch with most lanes runs first. Lanes reconverge as on
// the SIMT stack; only the choice of the side differs from it.
#include <bit>
#include <memory>

#include "machine/mechanism.h"
#include "machine/reconvergence/stack.h"

namespace raddle::mechanisms::largest_split {
namespace {

class LargestSplit : public machine::SimtStack {
 public:
  using SimtStack::SimtStack;

  bool choose() override {
    for (;;) {
      std::uint8_t best = machine::kNoSplit;
      for (std::uint64_t rest = ready(); rest != 0; rest &= rest - 1) {
        const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
        if (best == machine::kNoSplit || lanes(split) > lanes(best)) best = split;
      }
      if (best == machine::kNoSplit) return false;  // all lanes wait, or have ended
      if (!has_arrived(best)) {
        run(best, 0);
        return true;
      }
      arrive_at_parent(best);  // it is where it meets its siblings: the parent may be ready now
    }
  }

 private:
  int lanes(std::uint8_t split) const { return std::popcount(at(split).lanes); }
};

constexpr machine::LaneControlKind kSchemes[] = {
    {.name = "largest_split",
     .meaning = "the way with most lanes runs first",
     .source = "HACKING.md",
     .whole_warps_at_barriers = true,
     .functional = "stack",
     .make = [](machine::WarpValues& values,
                machine::Cursor* cursors) -> std::unique_ptr<machine::LaneControl> {
       return std::make_unique<LargestSplit>(values, cursors);
     }}};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "largest_split";
  kind.meaning = "a scheme for scheduler.divergence";
  kind.lane_controls = []() -> std::span<const machine::LaneControlKind> { return kSchemes; };
  return kind;
}

}  // namespace raddle::mechanisms::largest_split
