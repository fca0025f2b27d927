// Branches whose two sides have the same beginning and end: an immediate dominator and an immediate post
// dominator in common (irregular-control-flow, section 4.4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/uniformity.h"
#include "mechanisms/merge/side_order.h"

namespace raddle::mechanisms::merge {

struct Divergence {
  isa::InstructionId branch = 0;
  BranchSide jumps, falls;  // lanes that the branch takes, and the others
  std::string why_not;      // its sides cannot be joined, since ...; "": they can
  /// Where they meet does not lie behind the sides: this jump of theirs stays.
  std::optional<isa::InstructionId> last_jump;
};

/// All conditional branches of the function with something on both sides, in the order in which they
/// lie.
std::vector<Divergence> divergences(const isa::FunctionBody& body,
                                    const isa::Uniformity& uniformity);

}  // namespace raddle::mechanisms::merge
