#include "isa/source_text.h"

#include <cctype>

namespace raddle::isa {
namespace {

bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

/// From `at` to the semicolon, with each run of white space reduced to one space.
std::string statement(const std::string& text, std::size_t at) {
  constexpr std::size_t kMost = 200;
  std::string out;
  for (; at < text.size() && text[at] != ';' && out.size() < kMost; ++at) {
    if (!is_space(text[at])) {
      out += text[at];
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

bool is_of_a_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '%' || letter == '_' ||
         letter == '$';
}

/// Whether the character at `at` stands after a "//" on its line.
bool in_comment(const std::string& text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;  // 0 on the first
  return std::string_view(text).substr(line, at - line).find("//") != std::string_view::npos;
}

/// Where the guard ("@%p1", "@!%p1") of the instruction with its opcode at `opcode` begins;
/// `opcode` itself when there is no guard.
std::size_t guard(const std::string& text, std::size_t opcode) {
  std::size_t at = opcode;
  const auto skip = [&](auto&& wanted) {
    while (at > 0 && wanted(text[at - 1])) --at;
  };
  skip(is_space);
  skip(is_of_a_name);
  skip(is_space);
  skip([](char letter) { return letter == '!'; });
  skip(is_space);
  const bool guarded = at > 0 && text[at - 1] == '@' && !in_comment(text, at - 1);
  return guarded ? at - 1 : opcode;
}

}  // namespace

SourceText::SourceText(const ptx::Module& module) : text_(module.text), starts_{0} {
  if (text_ == nullptr) return;
  for (std::size_t at = 0; at < text_->size(); ++at) {
    if ((*text_)[at] == '\n') starts_.push_back(at + 1);
  }
}

std::string SourceText::at(const ptx::Position& position) const {
  if (text_ == nullptr || position.line == 0 || position.line > starts_.size()) return {};
  const std::size_t column = position.column == 0 ? 0 : position.column - 1;
  return statement(*text_, guard(*text_, starts_[position.line - 1] + column));
}

void SourceText::describe(Program& program, const Function& function) const {
  for (std::uint32_t n = function.first; n < function.end; ++n) {
    std::string& text = program.info[n].text;
    if (text.empty()) text = at(program.info[n].at);
  }
}

}  // namespace raddle::isa
