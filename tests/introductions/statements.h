// A statement for every form of every row of the instruction table, and for every special register,
// from the PTX of tests (tests/ptx_forms, tests/ptx_behaviour).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/syntax.h"

namespace raddle::tests {

/// A translation unit, and which of its lines have one form alone. The text has the number of its
/// lines whatever its version and target are.
struct FormProgram {
  std::string name, text;
  std::map<unsigned, std::string> forms;  // line, from 1: "add.cc.u32/3" (3 operands), "%tid.x/0"
};

/// Each has a form that none before it has.
std::vector<FormProgram> form_programs(isa::Matcher& matcher, const std::string& behaviour_folder);

/// "add.cc.u32/3"
std::string form_name(const ptx::Instruction& instruction);
/// The instruction again: its operands are there and say nothing.
ptx::Instruction instruction_of(const std::string& form_name);

/// With another header.
std::string retargeted(const std::string& text, const std::string& version,
                       const std::string& target);

}  // namespace raddle::tests
