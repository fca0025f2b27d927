#include "isa/program.h"

#include <fmt/core.h>
#include <algorithm>

#include <atomic>
#include <utility>

#include "isa/builtins/builtins.h"

namespace raddle::isa {

namespace {
std::atomic<std::uint64_t> g_programs = 0;
}

Program::Program() : id(++g_programs) {}
Program::~Program() = default;

std::uint32_t Program::likely_point(std::uint32_t branch) const {
  const auto found = std::lower_bound(
      likely_points.begin(), likely_points.end(), branch,
      [](const LikelyPoint& one, std::uint32_t wanted) { return one.branch < wanted; });
  return found != likely_points.end() && found->branch == branch ? found->pc : kNoReconvergence;
}

const Function* Program::find_kernel(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.entry && function.name == name) return &function;
  }
  return nullptr;
}

Function* Program::find_kernel(std::string_view name) {
  return const_cast<Function*>(std::as_const(*this).find_kernel(name));
}

const Variable* Program::find_variable(std::string_view name) const {
  for (const Variable& variable : variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

SourceLine Program::line_of(std::uint32_t instruction) const {
  const InstructionInfo& known = info[instruction];
  if (known.at.source_line != 0 && known.at.source_file < source_files[known.module].size()) {
    return {source_files[known.module][known.at.source_file], known.at.source_line};
  }
  return {module_names[known.module], known.at.line};
}

std::vector<SourceLine> Program::inlined_at(std::uint32_t instruction) const {
  std::vector<SourceLine> calls;
  const InstructionInfo& known = info[instruction];
  for (std::uint32_t inlined = known.at.inlined; inlined != 0;) {
    const ptx::Inlining& inlining = inlinings[known.module][inlined - 1];
    const std::vector<std::string>& files = source_files[known.module];
    if (inlining.source_file < files.size()) {
      calls.push_back({files[inlining.source_file], inlining.source_line});
    }
    inlined = inlining.outer;
  }
  return calls;
}

std::string Program::source_of(std::uint32_t instruction) const {
  if (instruction >= info.size()) return "unknown";
  const SourceLine line = line_of(instruction);
  std::string text = fmt::format("{}:{}", line.file, line.line);
  for (const SourceLine& call : inlined_at(instruction)) {
    text += fmt::format(", inlined at {}:{}", call.file, call.line);
  }
  return text;
}

}  // namespace raddle::isa
