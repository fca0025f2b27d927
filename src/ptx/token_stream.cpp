#include "ptx/token_stream.h"

namespace raddle::ptx {

TokenStream::TokenStream(const std::string& file, std::string_view text)
    : file_(file), lexer_(file, text), token_(lexer_.next()) {}

Token TokenStream::peek() const {
  Lexer ahead = lexer_;
  return ahead.next();
}

Token TokenStream::advance() {
  const Token token = token_;
  token_ = lexer_.next();
  return token;
}

bool TokenStream::at_word(std::string_view dotted) const {
  return token_.kind == Token::Kind::dotted && token_.text == dotted;
}

bool TokenStream::accept(char symbol) {
  if (!at(symbol)) return false;
  advance();
  return true;
}

bool TokenStream::accept_word(std::string_view dotted) {
  if (!at_word(dotted)) return false;
  advance();
  return true;
}

Token TokenStream::expect(char symbol) {
  if (!at(symbol)) fail_expected(fmt::format("'{}'", symbol));
  return advance();
}

Token TokenStream::expect(Token::Kind kind, std::string_view what) {
  if (token_.kind != kind) fail_expected(what);
  return advance();
}

Token TokenStream::expect_identifier(std::string_view what) {
  return expect(Token::Kind::identifier, what);
}

void TokenStream::skip_line() {
  lexer_.skip_line();
  token_ = lexer_.next();
}

void TokenStream::fail_expected(std::string_view what) const {
  if (token_.kind == Token::Kind::end) fail(token_, "expected {}, found end of file", what);
  constexpr std::size_t kLongest = 60;
  fail(token_, "expected {}, found '{}'{}", what, token_.text.substr(0, kLongest),
       token_.text.size() > kLongest ? "..." : "");
}

NestingGuard::NestingGuard(const TokenStream& tokens, unsigned& depth) : depth_(depth) {
  if (depth_ == kMost) tokens.fail(tokens.current(), "nested more than {} deep", kMost);
  ++depth_;
}

}  // namespace raddle::ptx
