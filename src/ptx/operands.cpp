// Operands of instructions (PTX ISA 6).
#include <algorithm>

#include "ptx/parser.h"
#include "ptx/special_registers.h"

namespace raddle::ptx {
namespace {

/// Index of a vector element: x y z w, or r g b a; -1 for any other word.
int element_index(std::string_view word) {
  if (word.size() != 1) return -1;
  const std::size_t xyzw = std::string_view("xyzw").find(word[0]);
  const std::size_t rgba = std::string_view("rgba").find(word[0]);
  if (xyzw != std::string_view::npos) return static_cast<int>(xyzw);
  return rgba != std::string_view::npos ? static_cast<int>(rgba) : -1;
}

/// Byte and half-word selectors of video instructions (PTX ISA 9.7.17): b0, h1; for SIMD ones
/// b7654, h32.
bool is_part_selector(std::string_view word) {
  if (word.size() < 2 || (word[0] != 'b' && word[0] != 'h')) return false;
  const char last = word[0] == 'b' ? '7' : '3';
  const std::size_t most = word[0] == 'b' ? 4 : 2;
  return word.size() - 1 <= most && std::all_of(word.begin() + 1, word.end(), [=](char digit) {
           return digit >= '0' && digit <= last;
         });
}

}  // namespace

Operand Parser::parse_operand() {
  const Token start = tokens_.current();
  Operand first = parse_simple_operand();
  if (!tokens_.at('|')) return first;
  if (first.kind == Operand::Kind::label) fail_undefined(start);
  tokens_.advance();
  const Token second = tokens_.current();
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(parse_simple_operand());
  if (pair.elements.back().kind == Operand::Kind::label) fail_undefined(second);
  return pair;
}

Operand Parser::parse_simple_operand() {
  const Token& token = tokens_.current();
  if (token.is('[')) return parse_address();
  if (token.is('{')) return parse_group('{', '}', Operand::Kind::vector);
  if (token.kind == Token::Kind::identifier && token.text != "WARP_SZ") return parse_name();
  if (token.is('!') || token.is('-')) {
    const bool logical = token.is('!');
    const Token next = tokens_.peek();
    if (next.kind == Token::Kind::identifier && next.text != "WARP_SZ") {
      tokens_.advance();
      Operand operand = parse_name();
      if (operand.kind != Operand::Kind::reg) {
        tokens_.fail(next, "only a register can be negated, not '{}'", next.text);
      }
      check_negation(logical, operand, next);
      operand.negated = true;
      return operand;
    }
  }
  if (!starts_constant(token)) tokens_.fail_expected("an operand");
  return parse_constant_operand();
}

/// `!` is for predicates; `-` is for the product and the addend of vmad (PTX ISA 9.7.17.3).
void Parser::check_negation(bool logical, const Operand& operand, const Token& name) const {
  const bool predicate = function().registers[operand.id].type == Type::pred;
  if (logical && !predicate)
    tokens_.fail(name, "'!' negates predicates, and '{}' is none", name.text);
  if (!logical && (predicate || opcode_ != "vmad"))
    tokens_.fail(name, "'-{}' is not allowed here: only operands of vmad are negated so",
                 name.text);
}

Operand Parser::parse_constant_operand() {
  const Constant value = parse_constant(tokens_);
  Operand operand;
  operand.bits = value.bits;
  operand.kind = value.is_integer()                       ? Operand::Kind::integer
                 : value.kind == Constant::Kind::f32_bits ? Operand::Kind::real32
                                                          : Operand::Kind::real64;
  return operand;
}

Operand Parser::parse_name() {
  const Token name = tokens_.expect_identifier("a name");
  Operand operand;
  if (name.text == "_") {
    operand.kind = Operand::Kind::sink;
    return operand;
  }
  const auto symbol = scopes_.find(name.text);
  if (!symbol) {
    if (name.text.front() == '%') return parse_special(name);
    operand.kind = Operand::Kind::label;
    operand.name = name.text;
    return operand;
  }
  switch (symbol->kind) {
    case Symbol::Kind::reg:
      return parse_register(*symbol, name);
    case Symbol::Kind::variable:
      return parse_variable_use(*symbol, name);
    case Symbol::Kind::label:
      operand.kind = Operand::Kind::label;
      operand.name = name.text;
      break;
  }
  return operand;
}

Operand Parser::parse_label_name() {
  const Token name = tokens_.expect_identifier("a label");
  Operand operand;
  operand.kind = Operand::Kind::label;
  operand.name = name.text;
  return operand;
}

/// A register, an element of a vector register, or a whole vector register, which becomes {x, y,
/// ...}.
Operand Parser::parse_register(const Symbol& symbol, const Token& name) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.id = symbol.id;
  const Token next = tokens_.current();
  const bool selects = next.kind == Token::Kind::dotted;
  if (selects) tokens_.advance();
  if (symbol.width == 1) {
    if (!selects) return operand;
    if (!is_part_selector(next.word())) {
      tokens_.fail(next, "'{}' is not a vector: there is no '{}'", name.text, next.text);
    }
    operand.name = next.word();
    return operand;
  }
  if (selects) {
    const int element = element_index(next.word());
    if (element < 0 || element >= static_cast<int>(symbol.width)) {
      tokens_.fail(next, "'{}' has {} elements: there is no '{}'", name.text, symbol.width,
                   next.text);
    }
    operand.id += static_cast<std::uint32_t>(element);
    return operand;
  }
  Operand vector;
  vector.kind = Operand::Kind::vector;
  for (std::uint32_t i = 0; i < symbol.width; ++i) {
    vector.elements.push_back(operand);
    ++operand.id;
  }
  return vector;
}

const Variable& Parser::variable(const Symbol& symbol) const {
  switch (symbol.scope) {
    case Operand::Scope::function_variable:
      return function().variables[symbol.id];
    case Operand::Scope::parameter:
      return function().parameters[symbol.id];
    case Operand::Scope::return_value:
      return function().returns[symbol.id];
    default:
      return module_.variables[symbol.id];
  }
}

/// name {[index]} {+ constant}: the address of a variable, of an element, or of a function.
Operand Parser::parse_symbol(const Symbol& symbol, const Token& name) {
  Operand operand;
  operand.kind = Operand::Kind::symbol;
  operand.scope = symbol.scope;
  operand.id = symbol.id;
  operand.name = name.text;
  if (symbol.scope == Operand::Scope::function) return operand;
  std::size_t dimension = 0;
  const Variable& declared = variable(symbol);
  while (tokens_.at('[')) {
    const Token open = tokens_.advance();
    if (dimension == declared.dimensions.size()) {
      tokens_.fail(open, "'{}' has {} dimensions", name.text, dimension);
    }
    std::uint64_t stride = std::uint64_t{bits(declared.type)} / 8 * declared.vector;
    ++dimension;
    for (std::size_t i = dimension; i < declared.dimensions.size(); ++i) {
      stride *= declared.dimensions[i];
    }
    const Constant index = parse_integer(tokens_, "a constant index");
    operand.offset =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.offset) + index.bits * stride);
    tokens_.expect(']');
  }
  operand.summed = tokens_.at('+');
  operand.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.offset) +
                                             static_cast<std::uint64_t>(parse_offset()));
  return operand;
}

/// Outside brackets a variable means its address. `a[2]` means the address of the element only in
/// mov and cvta; in loads and stores it means the element itself (PTX ISA 6.4.2).
Operand Parser::parse_variable_use(const Symbol& symbol, const Token& name) {
  const bool indexed = tokens_.at('[');
  Operand operand = parse_symbol(symbol, name);
  if (!indexed || opcode_ == "mov" || opcode_ == "cvta") return operand;
  if (opcode_ != "ld" && opcode_ != "ldu" && opcode_ != "st") {
    tokens_.fail(name, "an element of '{}' is an operand of loads and stores only", name.text);
  }
  Operand address;
  address.kind = Operand::Kind::address;
  address.offset = std::exchange(operand.offset, 0);
  address.elements.push_back(std::move(operand));
  return address;
}

Operand Parser::parse_special(const Token& name) {
  Operand operand;
  operand.kind = Operand::Kind::special;
  if (is_special_vector(name.text)) {
    const Token next = tokens_.current();
    if (next.kind == Token::Kind::dotted) {
      const int element = element_index(next.word());
      if (element < 0) {
        tokens_.fail(next, "'{}' has elements .x, .y, .z and .w, not '{}'", name.text, next.text);
      }
      tokens_.advance();
      operand.name = special_element(name.text, static_cast<unsigned>(element));
      return operand;
    }
    Operand vector;
    vector.kind = Operand::Kind::vector;
    for (unsigned i = 0; i < 4; ++i) {
      operand.name = special_element(name.text, i);
      vector.elements.push_back(operand);
    }
    return vector;
  }
  if (!is_special_scalar(name.text)) fail_undefined(name);
  operand.name = name.text;
  return operand;
}

/// {+ constant}: a sum or a shift, as ptxas accepts them: [a+8-4], [a+1<<2].
std::int64_t Parser::parse_offset() {
  if (!tokens_.accept('+')) return 0;
  return static_cast<std::int64_t>(
      parse_integer(tokens_, "a constant offset", Precedence::shift).bits);
}

/// [base {+ offset} {, coordinates...}]
Operand Parser::parse_address() {
  const NestingGuard guard(tokens_, depth_);
  tokens_.expect('[');
  Operand address;
  address.kind = Operand::Kind::address;
  const Token base = tokens_.current();
  if (base.kind == Token::Kind::identifier && base.text != "WARP_SZ") {
    const auto symbol = scopes_.find(base.text);
    if (!symbol || symbol->kind == Symbol::Kind::label) fail_undefined(base);
    tokens_.advance();
    if (tokens_.at('[')) tokens_.fail(base, "'{}' has no index inside of brackets", base.text);
    address.elements.push_back(symbol->kind == Symbol::Kind::reg ? parse_register(*symbol, base)
                                                                 : parse_symbol(*symbol, base));
    Operand& element = address.elements.back();
    if (element.kind == Operand::Kind::vector || element.scope == Operand::Scope::function) {
      tokens_.fail(base, "'{}' cannot be the base of an address", base.text);
    }
    address.offset =
        element.kind == Operand::Kind::symbol ? std::exchange(element.offset, 0) : parse_offset();
  } else {
    const Constant value = parse_integer(tokens_, "a register, a variable or a constant");
    Operand integer;
    integer.kind = Operand::Kind::integer;
    integer.bits = value.bits;
    address.elements.push_back(integer);
  }
  while (tokens_.accept(',')) {
    const Token start = tokens_.current();
    address.elements.push_back(parse_operand());
    if (address.elements.back().kind == Operand::Kind::label) fail_undefined(start);
  }
  tokens_.expect(']');
  const Token& suffix = tokens_.current();
  // Every address here is already in the unified address space (PTX ISA 9.7.9.8).
  const bool loads = opcode_ == "ld" || opcode_ == "ldu" || opcode_ == "atom";
  if (loads && suffix.kind == Token::Kind::dotted && suffix.word() == "unified") tokens_.advance();
  return address;
}

/// { a, b, ... } of vectors, and ( a, b, ... ) of calls, which may be empty.
Operand Parser::parse_group(char open, char close, Operand::Kind kind) {
  const NestingGuard guard(tokens_, depth_);
  tokens_.expect(open);
  Operand group;
  group.kind = kind;
  if (kind == Operand::Kind::list && tokens_.accept(close)) return group;
  do {
    const Token start = tokens_.current();
    group.elements.push_back(parse_operand());
    if (group.elements.back().kind == Operand::Kind::label) fail_undefined(start);
  } while (tokens_.accept(','));
  tokens_.expect(close);
  return group;
}

void Parser::fail_undefined(const Token& name) const {
  const bool is_register = name.text.starts_with('%');
  tokens_.fail(name, "{} '{}' is not declared{}", is_register ? "register" : "name", name.text,
               scopes_.suggestion(name.text));
}

}  // namespace raddle::ptx
