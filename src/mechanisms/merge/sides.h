// Branches whose two sides have the same beginning and end: an immediate dominator and an immediate post
// dominator in common (irregular-control-flow, section 4.4).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/uniformity.h"

namespace raddle::mechanisms::merge {

/// One side, in order.
struct BranchSide {
  std::vector<isa::InstructionId> code;  // without the jump at its end
  std::vector<isa::InstructionId> jump;  // that, if there is one
};

struct Divergence {
  isa::InstructionId branch = 0;
  BranchSide jumps, falls;    // lanes that the branch takes, and the others
  std::string why_not;        // its sides cannot be joined, since ...; "": they can
  bool jumps_behind = false;  // what follows the sides is not where they meet: a jump stays
};

/// All conditional branches of the function with something on both sides, in the order in which they
/// lie.
std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity);

}  // namespace raddle::mechanisms::merge
