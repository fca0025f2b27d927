// merge.reorder: instructions of each side that do not need one another change places, so that more of both
// sides are beside each other. The thesis keeps the order (irregular-control-flow, section 4.4).
#pragma once

#include <functional>

#include "isa/passes/function_body.h"
#include "mechanisms/merge/choice.h"

namespace raddle::mechanisms::merge {

/// Whether instructions of the two sides may be a pair.
using Pairs = std::function<bool(isa::InstructionId jumps, isa::InstructionId falls)>;

/// Puts the sides in an order with more pairs, if it finds one: instructions stay in their blocks, and pieces
/// with branches of their own where they are.
void reorder(isa::FunctionBody& body, const Pairs& are_pair, Candidate& one);

}  // namespace raddle::mechanisms::merge
