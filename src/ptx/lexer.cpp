#include "ptx/lexer.h"

#include <array>
#include <bit>
#include <charconv>

namespace raddle::ptx {
namespace {

enum : std::uint8_t { kDigit = 1, kLetter = 2, kFollow = 4, kHex = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<unsigned>(c)] = kDigit | kFollow | kHex;
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<unsigned>(c)] = kLetter | kFollow;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<unsigned>(c)] = kLetter | kFollow;
  for (int c = 'a'; c <= 'f'; ++c) classes[static_cast<unsigned>(c)] |= kHex;
  for (int c = 'A'; c <= 'F'; ++c) classes[static_cast<unsigned>(c)] |= kHex;
  classes['_'] = classes['$'] = kFollow;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is(char c, std::uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace

char Lexer::at(std::size_t offset) const {
  return next_ + offset < text_.size() ? text_[next_ + offset] : '\0';
}

std::size_t Lexer::word_end(std::size_t from) const {
  while (from < text_.size() && is(text_[from], kFollow)) ++from;
  return from;
}

void Lexer::fail(const Token& token, std::string_view what) const {
  fail_at({*file_, token.line, token.column}, "{}", what);
}

void Lexer::skip_block_comment() {
  Token start;
  start.line = line_;
  start.column = column();
  for (next_ += 2; next_ < text_.size(); ++next_) {
    if (text_[next_] == '\n') {
      ++line_;
      line_start_ = next_ + 1;
    } else if (text_[next_] == '*' && at(1) == '/') {
      next_ += 2;
      return;
    }
  }
  fail(start, "comment is not closed by '*/'");
}

void Lexer::skip_blanks() {
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++next_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++next_;
    } else if (c == '/' && at(1) == '/') {
      while (next_ < text_.size() && text_[next_] != '\n') ++next_;
    } else if (c == '/' && at(1) == '*') {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_line() {
  while (next_ < text_.size() && text_[next_] != '\n') ++next_;
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = line_;
  token.column = column();
  // Text from a fat binary ends in NUL bytes.
  if (next_ == text_.size() || text_.find_first_not_of('\0', next_) == text_.npos) return token;

  const std::size_t start = next_;
  const char c = text_[next_];
  if (is(c, kLetter) || c == '_' || ((c == '%' || c == '$') && is(at(1), kFollow))) {
    token.kind = Token::Kind::identifier;
    next_ = word_end(next_ + 1);
  } else if (is(c, kDigit)) {
    read_number(token);
  } else if (c == '.') {
    std::size_t digits = 1;
    while (is(at(digits), kDigit)) ++digits;
    const bool exponent = (at(digits) == 'e' || at(digits) == 'E') && digits > 1;
    if (digits > 1 && (exponent || !is(at(digits), kFollow))) {
      read_decimal_real(token);
    } else if (is(at(1), kFollow)) {
      token.kind = Token::Kind::dotted;
      next_ = word_end(next_ + 1);
      while (at(0) == ':' && at(1) == ':' && is(at(2), kFollow)) next_ = word_end(next_ + 2);
    } else {
      fail(token, "expected a word after '.'");
    }
  } else if (c == '"') {
    read_string(token);
  } else {
    read_punctuation(token);
  }
  token.text = text_.substr(start, next_ - start);
  return token;
}

void Lexer::read_number(Token& token) {
  const char second = at(1);
  if (at(0) == '0' && (second == 'f' || second == 'F')) return read_hex_real(token, 8);
  if (at(0) == '0' && (second == 'd' || second == 'D')) return read_hex_real(token, 16);
  if (at(0) == '0' && (second == 'x' || second == 'X')) return read_integer(token, 16, 2);
  if (at(0) == '0' && (second == 'b' || second == 'B')) return read_integer(token, 2, 2);
  std::size_t end = 0;
  while (is(at(end), kDigit)) ++end;
  if (at(end) == '.' || at(end) == 'e' || at(end) == 'E') return read_decimal_real(token);
  read_integer(token, at(0) == '0' && is(second, kDigit) ? 8 : 10, 0);
}

void Lexer::read_hex_real(Token& token, std::size_t digits) {
  token.kind = digits == 8 ? Token::Kind::real32 : Token::Kind::real64;
  const std::size_t first = next_ + 2, end = word_end(first);
  const char* const last = text_.data() + end;
  const auto result = std::from_chars(text_.data() + first, last, token.bits, 16);
  if (end - first != digits || result.ptr != last) {
    fail(token, fmt::format("malformed constant '{}': expected {} hexadecimal digits after '{}'",
                            text_.substr(next_, end - next_), digits, text_.substr(next_, 2)));
  }
  next_ = end;
}

void Lexer::read_decimal_real(Token& token) {
  token.kind = Token::Kind::real64;
  double value = 0;
  const char* const first = text_.data() + next_;
  const auto result = std::from_chars(first, text_.data() + text_.size(), value);
  const auto length = static_cast<std::size_t>(result.ptr - first);
  if (result.ec == std::errc::result_out_of_range)
    fail(token, "constant is too large for a double");
  if (result.ec != std::errc{} || is(at(length), kFollow)) fail(token, "malformed number");
  token.bits = std::bit_cast<std::uint64_t>(value);
  next_ += length;
}

void Lexer::read_integer(Token& token, unsigned base, std::size_t prefix) {
  token.kind = Token::Kind::integer;
  const std::size_t end = word_end(next_);
  const std::string_view text = text_.substr(next_, end - next_);
  const char* const last = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + prefix, last, token.bits, static_cast<int>(base));
  if (error == std::errc::result_out_of_range) {
    fail(token, fmt::format("integer '{}' does not fit 64 bits", text));
  }
  const bool suffix = stop + 1 == last && (*stop == 'U' || *stop == 'u');
  if (error != std::errc{} || (stop != last && !suffix)) {
    fail(token, fmt::format("malformed integer '{}'", text));
  }
  token.is_unsigned = suffix || token.bits >> 63 != 0;
  next_ = end;
}

void Lexer::read_string(Token& token) {
  token.kind = Token::Kind::string;
  const std::size_t end = text_.find_first_of("\"\n", next_ + 1);
  if (end == text_.npos || text_[end] == '\n') fail(token, "string is not closed by '\"'");
  next_ = end + 1;
}

void Lexer::read_punctuation(Token& token) {
  constexpr std::string_view kSingle = "{}[]()<>,;:@|!+-*/%&^~?=";
  constexpr std::string_view kDouble[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  token.kind = Token::Kind::punctuation;
  for (const std::string_view pair : kDouble) {
    if (at(0) == pair[0] && at(1) == pair[1]) {
      token.symbol = symbol_pair(pair[0], pair[1]);
      next_ += 2;
      return;
    }
  }
  if (kSingle.find(at(0)) == kSingle.npos || at(0) == '\0') {
    const auto code = static_cast<unsigned char>(at(0));
    fail(token, code > 0x20 && code < 0x7f ? fmt::format("unexpected character '{}'", at(0))
                                           : fmt::format("unexpected byte 0x{:02x}", code));
  }
  token.symbol = static_cast<unsigned char>(at(0));
  ++next_;
}

}  // namespace raddle::ptx
