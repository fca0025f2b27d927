// The SIMT stack: the way that was taken last runs until it meets the others.
#include "machine/reconvergence/stack.h"
#include "machine/reconvergence/kinds.h"

namespace raddle::machine {
namespace {

/// After so many backward jumps, a path that has read memory which others may change is taken to
/// wait for lanes below it in the stack. Other warps might change that memory, so the number is
/// very large.
constexpr std::uint32_t kHopelessBranches = 1u << 22;

}  // namespace

bool SimtStack::let_arrived_go_on(bool asked) { return asked && let_all_arrived_go_on(); }

LaneControl::Turn SimtStack::take_turns(unsigned) {
  if (++run_length_ < kHopelessBranches) return Turn::go_on;
  run_length_ = 0;
  return std::exchange(values_.saw_synchronization, false) ? Turn::hopeless : Turn::go_on;
}

LaneControlKind simt_stack_kind() {
  return {.name = "stack",
          .meaning = "SIMT stack: one way of a branch runs until it meets the others",
          .source = "Fung et al., MICRO 2007; GPUs before compute capability 7.0",
          .whole_warps_at_barriers = true,
          .one_way_at_a_time = true,
          .functional = "stack",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<SimtStack>(values, cursors);
          }};
}

}  // namespace raddle::machine
