// Calls and returns.
#include <bit>

#include "machine/warp/warp.h"

namespace raddle::machine {

using isa::Instruction;

/// Returns false when the thread's local memory has no room for the frame.
bool Warp::enter_function(std::uint32_t function, std::uint32_t call) {
  const Cursor at = here();
  const std::uint32_t made = values_.enter(function, call, at.frame, at.pc + 1, at.lanes);
  if (made == WarpValues::kNoFrame) return false;
  control_->enter(path_, program().functions[function].first, made);
  return true;
}

Step Warp::step_call(const Instruction& i) {
  const isa::CallSite& site = program().calls[i.target];
  const LaneMask all = here().lanes;
  if (!site.indirect) {
    if (!enter_function(site.function, i.target)) {
      return fault(isa::Fault::Kind::stack_overflow, i);
    }
    return {Step::Then::proceed, &i, all};
  }
  const auto* targets = context().source<std::uint64_t>(i.s[0]);
  const std::uint32_t pc = here().pc;
  BranchPath ways[kWarpSize];
  std::uint64_t callee[kWarpSize];
  unsigned count = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t number = (targets[lane] - isa::kCodeWindow) / isa::kCodeStride;
    const bool known = targets[lane] % isa::kCodeStride == 0 &&
                       number < program().functions.size() && !program().functions[number].entry;
    if (!known) {
      context().active = LaneMask{1} << lane;
      return fault(isa::Fault::Kind::null_function, i);
    }
    const isa::Function& function = program().functions[number];
    if (!function.unsupported.empty() || !function.switched_off.empty()) {
      context().active = LaneMask{1} << lane;
      context().fault.address = targets[lane];
      return fault(isa::Fault::Kind::refused_function, i);
    }
    unsigned n = 0;
    while (n < count && callee[n] != number) ++n;
    if (n == count) {
      callee[n] = number;
      ways[count++] = {pc, 0};
    }
    ways[n].lanes |= LaneMask{1} << lane;
  }
  if (count > 1) {
    // Each group of lanes calls its function by itself; the groups meet behind the call.
    control_->branch(path_, {ways, count}, pc + 1);
    return settle(&i, 0);
  }
  if (!enter_function(static_cast<std::uint32_t>(callee[0]), i.target)) {
    return fault(isa::Fault::Kind::stack_overflow, i);
  }
  return {Step::Then::proceed, &i, all};
}

Step Warp::step_return(const Instruction& i) {
  const Cursor at = here();
  values_.copy_results(at.frame, at.lanes);
  const WarpValues::Frame frame = values_.frame(at.frame);
  control_->leave(path_, frame.return_pc, frame.caller);
  if (here().pc == here().stop_pc) return arrive(path_, &i, at.lanes);
  return {Step::Then::proceed, &i, at.lanes};
}

}  // namespace raddle::machine
