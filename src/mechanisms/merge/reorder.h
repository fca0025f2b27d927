// merge.reorder: independent instructions of a side change places, so that more instructions of
// both sides form pairs. The thesis keeps the order (irregular-control-flow, section 4.4).
#pragma once

#include <functional>

#include "isa/passes/function_body.h"
#include "mechanisms/merge/choice.h"

namespace raddle::mechanisms::merge {

/// Whether instructions of the two sides can form a pair.
using Pairs = std::function<bool(isa::InstructionId jumps, isa::InstructionId falls)>;

/// Puts the sides into an order with more pairs, if it finds one. Instructions stay in their
/// blocks, and pieces with branches of their own keep their places.
void reorder(isa::FunctionBody& body, const Pairs& are_pair, Candidate& one);

}  // namespace raddle::mechanisms::merge
