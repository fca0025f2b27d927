// Integer operations with constants: operations that change nothing, and two operations of the same
// kind one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// The values of s[0], s[1] and s[2], where known.
using KnownOperands = std::array<std::optional<std::uint64_t>, 3>;

/// The constant that an unconditional move writes to a whole register.
std::optional<Ref> copied_constant(const FunctionBody& body, const LirInstruction& lir);

/// A move of `from` to the destination of the instruction, under its guard.
LirInstruction move_of(FunctionBody& body, const LirInstruction& lir, const Ref& from);

/// The instruction in a simpler form, if a known operand allows that: x + 0, x * 1, a product of
/// constants in a sum.
std::optional<LirInstruction> without_neutral(FunctionBody& body, const LirInstruction& lir,
                                              const KnownOperands& known);

/// Joins sums of sums, shifts of shifts, products of products and the like with constants, where
/// only the second reads the first. Returns how many were joined.
unsigned join_constants(FunctionBody& body);

}  // namespace raddle::isa
