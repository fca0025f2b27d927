// Multi-path execution: all ways of all branches in which a warp is can run, so that each hides the
// others' latencies (ElTantawy et al., HPCA 2014; irregular-control-flow, section 3.10). It follows
// dual-path execution, without the limit of two ways. Which lanes run together, and where they
// meet, is as on the SIMT stack. A warp offers its youngest ways, as many as it has paths.
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/stack.h"

namespace raddle::machine {
namespace {

class MultiPath : public SimtStack {
 public:
  using SimtStack::SimtStack;

  bool choose() override {
    settle_arrivals();
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (cursors_[path].split != kNoSplit) continue;
      const std::uint8_t next = youngest(ready() & ~running());
      if (next == kNoSplit) break;
      run(next, path);
    }
    return running() != 0;
  }

 private:
  /// Splits that have come to their meeting point wait there for the others. With the last of them
  /// the parent can continue, and may have arrived at its own meeting point.
  void settle_arrivals() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint8_t split = 0; split < kMostSplits; ++split) {
        if ((ready() & ~running() & bit(split)) == 0 || !has_arrived(split)) continue;
        arrive_at_parent(split);
        changed = true;
      }
    }
  }
};

}  // namespace

LaneControlKind multi_path_kind() {
  return {.name = "multi_path",
          .meaning =
              "multi-path execution: all ways of branches are scheduled like warps, up to four "
              "of a warp at a time",
          .source = "ElTantawy et al., HPCA 2014",
          .paths = kMostPaths,
          .whole_warps_at_barriers = true,
          .functional = "stack",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<MultiPath>(values, cursors);
          }};
}

}  // namespace raddle::machine
