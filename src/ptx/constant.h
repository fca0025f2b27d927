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

/// How strongly the weakest operator of the expression may bind: the levels of C.
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

/// Whether a constant expression may begin with the token.
bool starts_constant(const Token&);

/// Reads and evaluates an expression; throws InputError where the rules of PTX ISA 4.5.5 forbid it.
Constant parse_constant(TokenStream&, Precedence = Precedence::ternary);

/// The same for places that need an integer; `what` describes it in the error.
Constant parse_integer(TokenStream&, std::string_view what, Precedence = Precedence::ternary);

}  // namespace raddle::ptx
