// Splits PTX text into tokens (PTX ISA 4.1, 4.4, 4.5), without allocation: tokens are views into
// the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace raddle::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    identifier,   // add, %r1, $L__BB0_1, _
    dotted,       // .global, .shared::cta: a word with its dot; `word()` omits the dot
    integer,      // bits
    real32,       // 0f3F800000: bits are IEEE single
    real64,       // 0d..., 1.5: bits are IEEE double
    string,       // "..."; `text` includes the quotes
    punctuation,  // `symbol`
  };

  Kind kind = Kind::end;
  bool is_unsigned = false;  // integer: U suffix, or too big for a signed one
  std::uint16_t symbol = 0;  // punctuation: its character, or symbol_pair() of two
  std::uint32_t line = 0, column = 0;
  std::uint64_t bits = 0;
  std::string_view text;

  std::string_view word() const { return text.substr(1); }
  bool is(char c) const { return kind == Kind::punctuation && symbol == static_cast<unsigned>(c); }
};

/// The code of a two-character operator, such as <<.
constexpr std::uint16_t symbol_pair(char first, char second) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(first) << 8 |
                                    static_cast<unsigned>(second));
}

/// Cheap to copy, so a parser looks ahead by reading from a copy.
class Lexer {
 public:
  /// `file` is only for error messages; both must outlive the lexer.
  Lexer(const std::string& file, std::string_view text) : file_(&file), text_(text) {}

  /// The next token; at the end always Kind::end. Throws InputError for text that is no token.
  Token next();
  /// Drops the rest of the line on which the last token stands.
  void skip_line();

 private:
  void skip_blanks();
  void skip_block_comment();
  void read_number(Token&);
  void read_hex_real(Token&, std::size_t digits);
  void read_decimal_real(Token&);
  void read_integer(Token&, unsigned base, std::size_t prefix);
  void read_string(Token&);
  void read_punctuation(Token&);
  char at(std::size_t offset) const;
  std::size_t word_end(std::size_t from) const;
  std::uint32_t column() const { return static_cast<std::uint32_t>(next_ - line_start_ + 1); }
  [[noreturn]] void fail(const Token&, std::string_view what) const;

  const std::string* file_;
  std::string_view text_;
  std::size_t next_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace raddle::ptx
