// Dual-path execution: both ways of the branch on top of the stack can run, so that each hides the
// other's latencies (Rhu and Erez, HPCA 2013; irregular-control-flow, section 3.10). Which lanes
// run together, and where they meet, is as on the SIMT stack.
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/stack.h"

namespace raddle::machine {
namespace {

class DualPath : public SimtStack {
 public:
  using SimtStack::SimtStack;

  bool choose() override {
    std::uint8_t first = kNoSplit;
    for (;;) {
      first = youngest(ready());
      if (first == kNoSplit) return false;
      if (runs(first) || !has_arrived(first)) break;
      arrive_at_parent(first);
    }
    const std::uint8_t second = sibling(first);
    for (unsigned path = 0; path < kPaths; ++path) {
      const std::uint8_t split = cursors_[path].split;
      if (split != first && split != second) park(path, State::ready);
    }
    place(first);
    if (second != kNoSplit) place(second);
    return true;
  }

 private:
  static constexpr unsigned kPaths = 2;

  bool runs(std::uint8_t split) const { return (running() & bit(split)) != 0; }
  /// Another way of the same branch that can run: both are in the stack's top entry.
  std::uint8_t sibling(std::uint8_t of) {
    if (at(of).parent == kNoSplit) return kNoSplit;
    for (;;) {
      std::uint64_t others = 0;
      for (std::uint8_t split = 0; split < kMostSplits; ++split) {
        const bool is =
            (ready() & bit(split)) != 0 && split != of && at(split).parent == at(of).parent;
        if (is) others |= bit(split);
      }
      const std::uint8_t found = youngest(others);
      if (found == kNoSplit || runs(found) || !has_arrived(found)) return found;
      arrive_at_parent(found);
    }
  }
  void place(std::uint8_t split) {
    if (runs(split)) return;
    run(split, cursors_[0].split == kNoSplit ? 0 : 1);
  }
};

}  // namespace

LaneControlKind dual_path_kind() {
  return {.name = "dual_path",
          .meaning = "dual-path execution: two ways of a branch are scheduled like two warps",
          .source = "Rhu and Erez, HPCA 2013",
          .paths = 2,
          .whole_warps_at_barriers = true,
          .functional = "stack",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<DualPath>(values, cursors);
          }};
}

}  // namespace raddle::machine
