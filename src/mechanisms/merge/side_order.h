// One side of a branch as a sequence. It has the code that each lane of the side executes once, and
// between it pieces with branches of their own, which stay unchanged (irregular-control-flow,
// section 4.9).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::mechanisms::merge {

struct BranchSide {
  struct Step {
    isa::InstructionId id = 0;
    /// 0: each lane of the side executes the instruction once. From 1: number of its piece.
    std::uint32_t piece = 0;
  };
  std::vector<Step> code;
  std::vector<isa::InstructionId> jumps;  // between pieces and at the end; a sequence needs none
  std::uint32_t pieces = 0;

  bool contains(isa::InstructionId id) const;
};

/// Puts the code of one side into `side`. Lanes enter the side from `top` at `way`, and leave it at
/// `meet`. Returns the reason if that is impossible, else "".
std::string put_in_order(const isa::FunctionBody& body, isa::BlockId top, isa::BlockId way,
                         isa::BlockId meet, BranchSide& side);

}  // namespace raddle::mechanisms::merge
