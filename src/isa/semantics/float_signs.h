// Floating-point instructions whose operands have bits for their sign, as in machine code (FADD, FMUL,
// FFMA, FMNMX, FSETP, DADD, DMUL, DFMA, DSETP).
#pragma once

#include <string_view>

#include "isa/table.h"

namespace raddle::isa {

/// What happens to operand `n` before the operation, in Instruction::immediate: its magnitude is taken,
/// then it is negated.
constexpr std::uint64_t negated_operand(unsigned n) { return std::uint64_t{1} << n; }
constexpr std::uint64_t absolute_operand(unsigned n) { return std::uint64_t{1} << (4 + n); }

/// add, sub, mul, fma, mad, and of single precision min and max; setp that does nothing but compare.
/// nullptr: not such an instruction. A NaN is what neg and abs make of it.
Execute select_with_signs(std::string_view opcode, const Form& form);

}  // namespace raddle::isa
