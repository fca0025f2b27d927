// Instructions and their operands as text, with given names.
#pragma once

#include <string>

#include "ptx/module.h"
#include "ptx/print_names.h"

namespace raddle::ptx {

struct PrintContext {
  const Module& module;
  const Function& function;
  const FunctionNames& names;
};

std::string print_operand(const PrintContext&, const Operand&);
/// Opcode, modifiers and operands.
std::string print_instruction(const PrintContext&, const Instruction&);
/// "+4", "+-4", or nothing.
std::string print_offset(std::int64_t offset);

}  // namespace raddle::ptx
