#include "ptx/constant.h"

#include <bit>
#include <optional>

namespace raddle::ptx {
namespace {

using Kind = Constant::Kind;

enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
};

struct OperatorRow {
  std::uint16_t symbol;
  Operator operation;
  Precedence precedence;
};

constexpr OperatorRow kOperators[] = {
    {symbol_pair('|', '|'), Operator::logical_or, Precedence::logical_or},
    {symbol_pair('&', '&'), Operator::logical_and, Precedence::logical_and},
    {'|', Operator::bit_or, Precedence::bit_or},
    {'^', Operator::bit_xor, Precedence::bit_xor},
    {'&', Operator::bit_and, Precedence::bit_and},
    {symbol_pair('=', '='), Operator::equal, Precedence::equality},
    {symbol_pair('!', '='), Operator::not_equal, Precedence::equality},
    {'<', Operator::less, Precedence::relational},
    {symbol_pair('<', '='), Operator::less_equal, Precedence::relational},
    {'>', Operator::greater, Precedence::relational},
    {symbol_pair('>', '='), Operator::greater_equal, Precedence::relational},
    {symbol_pair('<', '<'), Operator::shift_left, Precedence::shift},
    {symbol_pair('>', '>'), Operator::shift_right, Precedence::shift},
    {'+', Operator::add, Precedence::additive},
    {'-', Operator::subtract, Precedence::additive},
    {'*', Operator::multiply, Precedence::multiplicative},
    {'/', Operator::divide, Precedence::multiplicative},
    {'%', Operator::remainder, Precedence::multiplicative},
};

const OperatorRow* operator_at(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return nullptr;
  for (const OperatorRow& row : kOperators) {
    if (row.symbol == token.symbol) return &row;
  }
  return nullptr;
}

Constant make_signed(std::int64_t value) { return {Kind::s64, static_cast<std::uint64_t>(value)}; }
Constant make_truth(bool value) { return make_signed(value ? 1 : 0); }
Constant make_real(double value) { return {Kind::f64, std::bit_cast<std::uint64_t>(value)}; }
double real(const Constant& c) { return std::bit_cast<double>(c.bits); }

class Evaluator {
 public:
  explicit Evaluator(TokenStream& tokens) : tokens_(tokens) {}

  Constant ternary() {
    const NestingGuard guard(tokens_, depth_);
    const Token start = tokens_.current();
    const Constant condition = binary(Precedence::logical_or);
    if (!tokens_.at('?')) return condition;
    require_integers(start, condition, condition);
    tokens_.advance();
    Constant yes = ternary();
    tokens_.expect(':');
    Constant no = ternary();
    if (yes.is_integer() != no.is_integer()) {
      tokens_.fail(start, "both results of '?:' must be integers, or both real numbers");
    }
    if (yes.is_integer() && (yes.kind == Kind::u64 || no.kind == Kind::u64)) {
      yes.kind = no.kind = Kind::u64;  // usual conversions
    }
    return condition.bits != 0 ? yes : no;
  }

  Constant binary(Precedence least) {
    Constant left = unary();
    while (const OperatorRow* row = operator_at(tokens_.current())) {
      if (row->precedence < least) break;
      const Token where = tokens_.advance();
      const NestingGuard guard(tokens_, depth_);
      const auto tighter = static_cast<Precedence>(static_cast<unsigned>(row->precedence) + 1);
      left = apply(where, row->operation, left, binary(tighter));
    }
    return left;
  }

 private:
  Constant unary() {
    const NestingGuard guard(tokens_, depth_);
    const Token token = tokens_.current();
    if (token.is('+') || token.is('-') || token.is('!') || token.is('~')) {
      tokens_.advance();
      return apply_unary(token, unary());
    }
    if (token.is('(')) return parenthesized();
    switch (token.kind) {
      case Token::Kind::integer:
        tokens_.advance();
        return {token.is_unsigned ? Kind::u64 : Kind::s64, token.bits};
      case Token::Kind::real32:
        tokens_.advance();
        return {Kind::f32_bits, token.bits};
      case Token::Kind::real64:
        tokens_.advance();
        return {Kind::f64, token.bits};
      case Token::Kind::identifier:
        if (token.text == "WARP_SZ") {
          tokens_.advance();
          return make_signed(32);
        }
        break;
      default:
        break;
    }
    tokens_.fail_expected("a constant");
  }

  /// A subexpression in parentheses, or a cast and its operand.
  Constant parenthesized() {
    const Token open = tokens_.advance();
    if (tokens_.current().kind != Token::Kind::dotted) {
      const Constant inner = ternary();
      tokens_.expect(')');
      return inner;
    }
    Kind kind = Kind::s64;
    if (tokens_.at_word(".u64")) {
      kind = Kind::u64;
    } else if (!tokens_.at_word(".s64")) {
      tokens_.fail_expected("'.s64' or '.u64'");
    }
    tokens_.advance();
    tokens_.expect(')');
    Constant value = unary();
    require_integers(open, value, value);
    value.kind = kind;
    return value;
  }

  Constant apply_unary(const Token& where, Constant value) {
    if (where.is('+') || where.is('-')) {
      if (value.kind == Kind::f32_bits)
        tokens_.fail(where,
                     "constants of the form 0f... have no sign before them: it is their first bit");
      if (where.is('+')) return value;
      if (value.is_integer()) return {value.kind, 0 - value.bits};
      value.bits ^= std::uint64_t{1} << (value.kind == Kind::f64 ? 63 : 31);
      return value;
    }
    require_integers(where, value, value);
    return where.is('!') ? make_truth(value.bits == 0) : Constant{Kind::u64, ~value.bits};
  }

  Constant apply(const Token& where, Operator operation, const Constant& a, const Constant& b) {
    if (a.kind == Kind::f64 && b.kind == Kind::f64) return apply_real(where, operation, a, b);
    require_integers(where, a, b);
    if (operation <= Operator::bit_and) return apply_bits(operation, a.bits, b.bits);
    if (operation == Operator::shift_left || operation == Operator::shift_right) {
      return shift(operation == Operator::shift_left, a, b.bits);
    }
    if (operation >= Operator::divide && b.bits == 0) tokens_.fail(where, "division by zero");
    if (operation == Operator::remainder) return {Kind::s64, a.bits % b.bits};
    return apply_usual(operation, a, b);
  }

  static Constant apply_bits(Operator operation, std::uint64_t a, std::uint64_t b) {
    switch (operation) {
      case Operator::logical_or:
        return make_truth(a != 0 || b != 0);
      case Operator::logical_and:
        return make_truth(a != 0 && b != 0);
      case Operator::bit_or:
        return {Kind::u64, a | b};
      case Operator::bit_xor:
        return {Kind::u64, a ^ b};
      default:
        return {Kind::u64, a & b};
    }
  }

  /// The result has the type of the first operand. The manual does not define amounts of 64 and
  /// more; as in ptxas, their low six bits count.
  static Constant shift(bool left, const Constant& a, std::uint64_t amount) {
    amount &= 63;
    if (left) return {a.kind, a.bits << amount};
    if (a.kind == Kind::u64) return {a.kind, a.bits >> amount};
    return make_signed(static_cast<std::int64_t>(a.bits) >> amount);
  }

  /// Operators under the usual conversions: unsigned when at least one operand is unsigned.
  static Constant apply_usual(Operator operation, const Constant& a, const Constant& b) {
    const bool is_unsigned = a.kind == Kind::u64 || b.kind == Kind::u64;
    const Kind kind = is_unsigned ? Kind::u64 : Kind::s64;
    const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
    const bool less = is_unsigned ? a.bits < b.bits : sa < sb;
    switch (operation) {
      case Operator::equal:
        return make_truth(a.bits == b.bits);
      case Operator::not_equal:
        return make_truth(a.bits != b.bits);
      case Operator::less:
        return make_truth(less);
      case Operator::less_equal:
        return make_truth(less || a.bits == b.bits);
      case Operator::greater:
        return make_truth(!less && a.bits != b.bits);
      case Operator::greater_equal:
        return make_truth(!less);
      case Operator::add:
        return {kind, a.bits + b.bits};
      case Operator::subtract:
        return {kind, a.bits - b.bits};
      case Operator::multiply:
        return {kind, a.bits * b.bits};
      default:  // divide; the most negative number by -1 wraps like a negation
        if (is_unsigned) return {kind, a.bits / b.bits};
        return sb == -1 ? Constant{kind, 0 - a.bits} : make_signed(sa / sb);
    }
  }

  Constant apply_real(const Token& where, Operator operation, const Constant& a,
                      const Constant& b) {
    const double x = real(a), y = real(b);
    switch (operation) {
      case Operator::equal:
        return make_truth(x == y);
      case Operator::not_equal:
        return make_truth(x != y);
      case Operator::less:
        return make_truth(x < y);
      case Operator::less_equal:
        return make_truth(x <= y);
      case Operator::greater:
        return make_truth(x > y);
      case Operator::greater_equal:
        return make_truth(x >= y);
      case Operator::add:
        return make_real(x + y);
      case Operator::subtract:
        return make_real(x - y);
      case Operator::multiply:
        return make_real(x * y);
      case Operator::divide:
        return make_real(x / y);
      default:
        tokens_.fail(where, "operator '{}' is for integers only", where.text);
    }
  }

  void require_integers(const Token& where, const Constant& a, const Constant& b) {
    if (a.kind == Kind::f32_bits || b.kind == Kind::f32_bits) {
      tokens_.fail(where, "single-precision constants (0f...) do not take part in expressions");
    }
    if (!a.is_integer() || !b.is_integer()) {
      tokens_.fail(where, "operator '{}' needs integer operands here", where.text);
    }
  }

  TokenStream& tokens_;
  unsigned depth_ = 0;
};

}  // namespace

bool starts_constant(const Token& token) {
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::real32:
    case Token::Kind::real64:
      return true;
    case Token::Kind::identifier:
      return token.text == "WARP_SZ";
    default:
      return token.is('+') || token.is('-') || token.is('!') || token.is('~') || token.is('(');
  }
}

Constant parse_constant(TokenStream& tokens, Precedence least) {
  Evaluator evaluator(tokens);
  return least == Precedence::ternary ? evaluator.ternary() : evaluator.binary(least);
}

Constant parse_integer(TokenStream& tokens, std::string_view what, Precedence least) {
  const Token start = tokens.current();
  if (!starts_constant(start)) tokens.fail_expected(what);
  const Constant value = parse_constant(tokens, least);
  if (!value.is_integer()) tokens.fail(start, "expected {}, found a real number", what);
  return value;
}

}  // namespace raddle::ptx
