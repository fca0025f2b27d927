#include "isa/source_text.h"

namespace raddle::isa {
namespace {

/// From `at` to the semicolon, white space drawn together.
std::string statement(const std::string& text, std::size_t at) {
  constexpr std::size_t kMost = 200;
  std::string out;
  for (; at < text.size() && text[at] != ';' && out.size() < kMost; ++at) {
    const bool space = text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r';
    if (!space) {
      out += text[at];
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

}  // namespace

SourceText::SourceText(const ptx::Module& module) : text_(module.text), starts_{0} {
  if (text_ == nullptr) return;
  for (std::size_t at = 0; at < text_->size(); ++at) {
    if ((*text_)[at] == '\n') starts_.push_back(at + 1);
  }
}

void SourceText::describe(Program& program, const Function& function) const {
  if (text_ == nullptr) return;
  for (std::uint32_t n = function.first; n < function.end; ++n) {
    InstructionInfo& info = program.info[n];
    if (info.at.line == 0 || info.at.line > starts_.size()) continue;
    const std::size_t column = info.at.column == 0 ? 0 : info.at.column - 1;
    info.text = statement(*text_, starts_[info.at.line - 1] + column);
  }
}

}  // namespace raddle::isa
