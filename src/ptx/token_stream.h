// The tokens of one file with a current one; also makes error messages about it.
#pragma once

#include <string>
#include <string_view>

#include "ptx/lexer.h"

namespace raddle::ptx {

class TokenStream {
 public:
  /// `file` and `text` must outlive the stream.
  TokenStream(const std::string& file, std::string_view text);

  const Token& current() const { return token_; }
  Token peek() const;
  /// Moves to the next token; returns the previous one.
  Token advance();

  bool at(char symbol) const { return token_.is(symbol); }
  bool at_word(std::string_view dotted) const;
  bool accept(char symbol);
  bool accept_word(std::string_view dotted);
  Token expect(char symbol);
  Token expect(Token::Kind, std::string_view what);
  /// Expects a plain name; `what` describes it in the error.
  Token expect_identifier(std::string_view what);

  void skip_line();

  [[noreturn]] void fail_expected(std::string_view what) const;
  template <class... Args>
  [[noreturn]] void fail(const Token& where, fmt::format_string<Args...> text,
                         Args&&... args) const {
    fail_at({file_, where.line, where.column}, text, std::forward<Args>(args)...);
  }

 private:
  const std::string& file_;
  Lexer lexer_;
  Token token_;
};

/// Protects recursive descent against input with endless nesting.
class NestingGuard {
 public:
  static constexpr unsigned kMost = 200;
  NestingGuard(const TokenStream& tokens, unsigned& depth);
  ~NestingGuard() { --depth_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  unsigned& depth_;
};

}  // namespace raddle::ptx
