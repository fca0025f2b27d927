// The text of instructions as they were written, for reports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/program.h"

namespace raddle::isa {

/// A module's text, by lines.
class SourceText {
 public:
  explicit SourceText(const ptx::Module& module);
  /// The statement there; "" when the text is not known, or the position is none.
  std::string at(const ptx::Position& position) const;
  /// Fills InstructionInfo::text of the function's code.
  void describe(Program& program, const Function& function) const;

 private:
  std::shared_ptr<const std::string> text_;
  std::vector<std::size_t> starts_;  // where line n begins: [n - 1]
};

}  // namespace raddle::isa
