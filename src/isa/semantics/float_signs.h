// Floating-point instructions with sign bits for their operands, as in machine code (FADD, FMUL,
// FFMA, FMNMX, FSETP, DADD, DMUL, DFMA, DSETP).
#pragma once

#include <string_view>

#include "isa/table.h"

namespace raddle::isa {

/// Bits of Instruction::immediate for operand `n` before the operation: first its magnitude is
/// taken, then it is negated.
constexpr std::uint64_t negated_operand(unsigned n) { return std::uint64_t{1} << n; }
constexpr std::uint64_t absolute_operand(unsigned n) { return std::uint64_t{1} << (4 + n); }

/// For add, sub, mul, fma, mad; min and max of single precision; setp that only compares. nullptr:
/// any other instruction. A NaN is treated as in neg and abs.
Execute select_with_signs(std::string_view opcode, const Form& form);

}  // namespace raddle::isa
