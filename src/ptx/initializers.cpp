// Initial values of variables (PTX ISA 5.4.4).
#include <bit>

#include "ptx/parser.h"

namespace raddle::ptx {
namespace {

/// Encodes the constant in `type`; false where constant and type do not fit.
bool encode(Type type, const Constant& value, std::uint64_t& result) {
  const unsigned width = bits(type);
  result = value.bits;
  if (value.is_integer()) {
    if (is_float(type) || width == 0 || width > 64) return false;
    if (width < 64) result &= (std::uint64_t{1} << width) - 1;
    return true;
  }
  const bool is_double = value.kind == Constant::Kind::f64;
  if (is_untyped(type) && !is_double) return width == 32;
  if ((type == Type::f32 || type == Type::b32) && is_double) {
    result = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  } else if (type == Type::f64 && !is_double) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
    result = std::bit_cast<std::uint64_t>(static_cast<double>(single));
  } else if (type != Type::f32 && type != Type::f64 && type != Type::b64) {
    return false;
  }
  return true;
}

}  // namespace

void Parser::parse_initializer(Variable& variable) {
  const Token& start = tokens_.current();
  if (variable.space != Space::global && variable.space != Space::constant) {
    tokens_.fail(start, "only '.global' and '.const' variables can have initial values");
  }
  if (variable.linkage == Linkage::external) {
    tokens_.fail(start, "an '.extern' variable cannot have an initial value");
  }
  if (bits(variable.type) == 0) return parse_settings(variable, 0);

  std::vector<std::uint64_t> extents = variable.dimensions;
  if (variable.vector != 1) extents.push_back(variable.vector);
  parse_initializer_level(variable, extents, 0, 0);

  if (!variable.dimensions.empty() && variable.dimensions[0] == 0) {
    std::uint64_t inner = variable.vector;
    for (std::size_t i = 1; i < variable.dimensions.size(); ++i) inner *= variable.dimensions[i];
    variable.dimensions[0] = (variable.initializer.size() + inner - 1) / inner;
  }
}

/// Reads the values of one sub-array; `first` is the number of its first element in the whole
/// variable.
void Parser::parse_initializer_level(Variable& variable, const std::vector<std::uint64_t>& extents,
                                     std::size_t level, std::uint64_t first) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 27;
  const NestingGuard guard(tokens_, depth_);
  if (level == extents.size()) {
    if (first >= kMostElements) {
      tokens_.fail(tokens_.current(), "more than {} initial values", kMostElements);
    }
    variable.initializer.resize(first);  // elements that an inner array omits are zero
    variable.initializer.push_back(parse_initializer_element(variable));
    return;
  }
  std::uint64_t stride = 1;
  for (std::size_t i = level + 1; i < extents.size(); ++i) {
    if (stride > kMostElements / extents[i]) {
      tokens_.fail(tokens_.current(), "array '{}' is too large to initialize", variable.name);
    }
    stride *= extents[i];
  }
  tokens_.expect('{');
  if (tokens_.accept('}')) return;
  std::uint64_t index = 0;
  do {
    if (extents[level] != 0 && index == extents[level]) {
      tokens_.fail(tokens_.current(), "too many initial values for '{}': there is room for {}",
                   variable.name, extents[level]);
    }
    parse_initializer_level(variable, extents, level + 1, first + index * stride);
    ++index;
  } while (tokens_.accept(','));
  tokens_.expect('}');
}

Initializer Parser::parse_initializer_element(const Variable& variable) {
  const Token start = tokens_.current();
  const bool name = start.kind == Token::Kind::identifier && start.text != "WARP_SZ";
  const bool mask = start.kind == Token::Kind::integer && tokens_.peek().is('(');
  if (name || mask) return parse_initializer_address(variable);
  if (!starts_constant(start)) {
    tokens_.fail_expected(start.is('{') ? "a value: the braces nest deeper than the array"
                                        : "an initial value");
  }
  Initializer part;
  if (!encode(variable.type, parse_constant(tokens_), part.bits)) {
    tokens_.fail(start, "'{}' is no initial value for a '.{}'", start.text,
                 ptx::name(variable.type));
  }
  return part;
}

/// name, name + constant, generic(name) + constant, or one byte of these: 0xFF00(name).
Initializer Parser::parse_initializer_address(const Variable& variable) {
  Initializer part;
  const Token start = tokens_.current();
  const bool masked = start.kind == Token::Kind::integer;
  if (masked) {
    part.shift = static_cast<std::uint8_t>(std::countr_zero(start.bits));
    part.mask = 0xff;
    if (start.bits == 0 || part.shift % 8 != 0 || start.bits >> part.shift != 0xff) {
      tokens_.fail(start, "mask '{}' does not select one byte of an address", start.text);
    }
    tokens_.advance();
    tokens_.expect('(');
  }
  const unsigned width = bits(variable.type);
  if (is_float(variable.type) || (masked ? width != 8 : width != 32 && width != 64)) {
    tokens_.fail(start, "a '.{}' cannot hold {}", ptx::name(variable.type),
                 masked ? "a byte of an address" : "an address");
  }
  Token name = tokens_.expect_identifier("the name of a variable or function");
  if (name.text == "generic" && tokens_.at('(')) {
    tokens_.advance();
    part.generic = true;
    name = tokens_.expect_identifier("the name of a variable");
    tokens_.expect(')');
  }
  const auto symbol = scopes_.find(name.text);
  if (!symbol || symbol->kind != Symbol::Kind::variable) fail_undefined(name);
  part.symbol = symbol->id;
  part.scope = symbol->scope;
  if (symbol->scope != Operand::Scope::function) {
    const Space space = this->variable(*symbol).space;
    if (space != Space::global && space != Space::constant) {
      tokens_.fail(name,
                   "the address of '{}' is not known before the run: it is not '.global' or "
                   "'.const'",
                   name.text);
    }
  }
  part.addend = parse_offset();
  if (masked) tokens_.expect(')');
  return part;
}

/// Settings of texture, sampler and surface variables: { name = value, ... } (PTX ISA 5.3); for an
/// array, a list of them.
void Parser::parse_settings(Variable& variable, std::size_t level) {
  tokens_.expect('{');
  if (tokens_.accept('}')) return;
  do {
    if (level < variable.dimensions.size()) {
      parse_settings(variable, level + 1);
      continue;
    }
    const Token name = tokens_.expect_identifier("the name of a setting");
    tokens_.expect('=');
    const Token value = tokens_.advance();
    if (value.kind != Token::Kind::identifier && value.kind != Token::Kind::integer) {
      tokens_.fail(value, "'{}' is no value of a setting", value.text);
    }
    variable.settings.push_back({std::string(name.text), std::string(value.text)});
  } while (tokens_.accept(','));
  tokens_.expect('}');
}

}  // namespace raddle::ptx
