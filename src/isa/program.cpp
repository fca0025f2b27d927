#include "isa/program.h"

#include <fmt/format.h>

#include "isa/builtins/builtins.h"

namespace raddle::isa {

Program::Program() = default;
Program::~Program() = default;

const Function* Program::find_kernel(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.entry && function.name == name) return &function;
  }
  return nullptr;
}

const Variable* Program::find_variable(std::string_view name) const {
  for (const Variable& variable : variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

std::string Program::source_of(std::uint32_t instruction) const {
  if (instruction >= info.size()) return "unknown";
  const InstructionInfo& known = info[instruction];
  if (known.at.source_line != 0 && known.at.source_file < source_files[known.module].size()) {
    return fmt::format("{}:{}", source_files[known.module][known.at.source_file],
                       known.at.source_line);
  }
  return fmt::format("{}:{}", module_names[known.module], known.at.line);
}

}  // namespace raddle::isa
