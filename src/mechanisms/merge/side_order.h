// One side of a branch as a sequence: the code that each of its lanes executes once, and between that
// pieces with branches of their own, which stay as they are (irregular-control-flow, section 4.9).
#pragma once

#include <string>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::mechanisms::merge {

struct BranchSide {
  struct Step {
    isa::InstructionId id = 0;
    /// 0: each lane of the side executes it, once. From 1: the piece that it belongs to.
    std::uint32_t piece = 0;
  };
  std::vector<Step> code;
  std::vector<isa::InstructionId> jumps;  // between pieces and at the end: a sequence needs none
  std::uint32_t pieces = 0;

  bool contains(isa::InstructionId id) const;
};

/// Puts the side that lanes enter from `top` at `way`, and leave where all meet, into `side`. Returns why
/// that cannot be done; "": it is done.
std::string put_in_order(const isa::FunctionBody& body, isa::BlockId top, isa::BlockId way,
                         isa::BlockId meet, BranchSide& side);

}  // namespace raddle::mechanisms::merge
