// Branches whose two sides have the same start and end: a common immediate dominator and a common
// immediate post-dominator (irregular-control-flow, section 4.4).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/uniformity.h"
#include "mechanisms/merge/side_order.h"

namespace raddle::mechanisms::merge {

struct Divergence {
  isa::InstructionId branch = 0;
  BranchSide jumps, falls;              // the side after a taken jump, and the fall-through side
  std::string why_not;                  // the reason why its sides cannot be joined; "": they can
  bool meets_elsewhere = false;         // the block where the sides meet does not lie behind them
  std::vector<isa::InstructionId> all;  // of both sides, even if they cannot be joined
};

/// All conditional branches of the function with instructions on both sides, in code order.
std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity);

}  // namespace raddle::mechanisms::merge
