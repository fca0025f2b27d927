// Constant expressions (PTX ISA 4.5).
#pragma once

#include <cstdint>

#include "ptx/token_stream.h"

namespace raddle::ptx {

struct Constant {
  enum class Kind : std::uint8_t { s64, u64, f64, f32_bits };
  Kind kind = Kind::s64;
  std::uint64_t bits = 0;  // two's complement, or the IEEE encoding of the real

  bool is_integer() const { return kind == Kind::s64 || kind == Kind::u64; }
};

/// How tightly the loosest operator to be read binds: C's levels.
enum class Precedence : std::uint8_t {
  ternary,
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  relational,
  shift,
  additive,
  multiplicative,
};

/// True where a constant expression may begin.
bool starts_constant(const Token&);

/// Reads and evaluates; throws InputError for what the rules of PTX ISA 4.5.5 do not allow.
Constant parse_constant(TokenStream&, Precedence = Precedence::ternary);

/// The same, where only an integer will do; `what` names it for the error.
Constant parse_integer(TokenStream&, std::string_view what, Precedence = Precedence::ternary);

}  // namespace raddle::ptx
