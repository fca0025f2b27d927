// Branches whose two sides have the same beginning and end: an immediate dominator and an immediate post
// dominator in common (irregular-control-flow, section 4.4).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/uniformity.h"
#include "mechanisms/merge/side_order.h"

namespace raddle::mechanisms::merge {

struct Divergence {
  isa::InstructionId branch = 0;
  BranchSide jumps, falls;              // lanes that the branch takes, and the others
  std::string why_not;                  // its sides cannot be joined, since ...; "": they can
  bool meets_elsewhere = false;         // where they meet does not lie behind them
  std::vector<isa::InstructionId> all;  // of both sides, of those that cannot be joined, too
};

/// All conditional branches of the function with something on both sides, in the order in which they
/// lie.
std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity);

}  // namespace raddle::mechanisms::merge
