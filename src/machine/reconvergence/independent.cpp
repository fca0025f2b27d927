// Independent thread scheduling: every way of a branch gets its turn, so that lanes may wait for
// other lanes of their warp (CUDA C++ Programming Guide, "Independent Thread Scheduling").
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/split_tree.h"

namespace raddle::machine {
namespace {

/// Jumps backwards after which other lanes that could run get a turn. Lanes that wait to meet these
/// are let go only when they have looked at memory that others may change: else they compute, and
/// will come.
constexpr std::uint32_t kTurnBranches = 512;

class IndependentThreads : public SplitTree {
 public:
  using SplitTree::SplitTree;

  bool let_arrived_go_on(bool) override { return let_all_arrived_go_on(); }

 protected:
  Turn take_turns(unsigned path) override {
    if (++run_length_ < kTurnBranches) return Turn::go_on;
    const bool synchronizes = std::exchange(values_.saw_synchronization, false);
    run_length_ = 0;
    const std::uint64_t self = bit(cursors_[path].split);
    if ((ready() & ~self) == 0 && !(synchronizes && let_all_arrived_go_on())) return Turn::go_on;
    const std::uint8_t next = oldest(ready() & ~self);
    park(path, State::ready);
    make_youngest(next);
    return Turn::changed;
  }
};

}  // namespace

LaneControlKind independent_threads_kind() {
  return {.name = "independent",
          .meaning = "independent thread scheduling: every way of a branch gets its turn",
          .source = "CUDA C++ Programming Guide; compute capability 7.0 and later",
          .functional = "independent",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<IndependentThreads>(values, cursors);
          }};
}

}  // namespace raddle::machine
