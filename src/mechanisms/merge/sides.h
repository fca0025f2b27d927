// Branches whose two sides have the same beginning and end: an immediate dominator and an immediate post
// dominator in common (irregular-control-flow, section 4.4).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/uniformity.h"

namespace raddle::mechanisms::merge {

/// Instructions of one side, in order, without the jump at its end.
struct BranchSide {
  std::vector<isa::InstructionId> code;
  std::vector<isa::InstructionId> jumps;  // without a condition, within it and at its end
};

struct Divergence {
  isa::InstructionId branch = 0;
  BranchSide jumps, falls;    // lanes that the branch takes, and the others
  std::string why_not;        // its sides cannot be joined, since ...; "": they can
  bool jumps_behind = false;  // what follows the sides is not where they meet: the last jump stays
};

/// All conditional branches of the function with something on both sides, in the order in which they
/// lie.
std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity);

}  // namespace raddle::mechanisms::merge
