// The text of instructions as the program has it, for reports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/program.h"

namespace raddle::isa {

/// The text of a module, by lines.
class SourceText {
 public:
  explicit SourceText(const ptx::Module& module);
  /// The statement at this position; "" when the text or the position is not known.
  std::string at(const ptx::Position& position) const;
  /// Fills InstructionInfo::text for the function's code.
  void describe(Program& program, const Function& function) const;

 private:
  std::shared_ptr<const std::string> text_;
  std::vector<std::size_t> starts_;  // where line n begins: [n - 1]
};

}  // namespace raddle::isa
