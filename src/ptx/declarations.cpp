// Variables and registers (PTX ISA 5.1, 5.4, 11.2).
#include <bit>

#include "ptx/parser.h"

namespace raddle::ptx {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;      // of one variable
constexpr std::uint64_t kMostRegisters = std::uint64_t{1} << 22;  // of one module

/// Bytes of one element. An opaque element is a 64-bit handle. A predicate, which only parameters
/// and results can be, is passed as a word.
std::uint64_t element_bytes(const Variable& variable) {
  if (variable.type == Type::pred) return 4;
  return is_opaque(variable.type) ? 8 : std::uint64_t{bits(variable.type)} / 8 * variable.vector;
}

bool same_shape(const Variable& a, const Variable& b) {
  if (a.space != b.space || a.type != b.type || a.vector != b.vector) return false;
  if (a.dimensions.size() != b.dimensions.size()) return false;
  for (std::size_t i = 0; i < a.dimensions.size(); ++i) {
    const bool unknown = i == 0 && (a.dimensions[i] == 0 || b.dimensions[i] == 0);
    if (!unknown && a.dimensions[i] != b.dimensions[i]) return false;
  }
  return true;
}

}  // namespace

void Parser::parse_variables(Linkage linkage) {
  const DeclarationHead head = parse_declaration_head(linkage);
  if (function_ == kNoId && (head.space == Space::reg || head.space == Space::param)) {
    tokens_.fail(head.at, "'{}' variables can only be declared inside a function", head.at.text);
  }
  do {
    parse_declarator(head);
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

DeclarationHead Parser::parse_declaration_head(Linkage linkage) {
  DeclarationHead head;
  head.linkage = linkage;
  head.at = tokens_.current();
  const auto space =
      head.at.kind == Token::Kind::dotted ? space_from_name(head.at.word()) : std::nullopt;
  if (!space) {
    tokens_.fail_expected(function_ == kNoId ? "a state space, '.entry' or '.func'"
                                             : "a directive that may stand in a function");
  }
  if (*space == Space::sreg) {
    tokens_.fail(head.at, "special registers are predefined; '.sreg' declares nothing");
  }
  head.space = *space;
  tokens_.advance();
  while (tokens_.current().kind == Token::Kind::dotted) {
    const std::string_view word = tokens_.current().word();
    if (word == "align") {
      head.alignment = parse_alignment();
    } else if (word == "attribute") {
      parse_attribute(head);
    } else if (word == "ptr") {
      parse_pointer(head);
    } else if (word == "v2" || word == "v4") {
      head.vector = word == "v2" ? 2 : 4;
      tokens_.advance();
    } else if (const auto type = type_from_name(word); type && head.type == Type::none) {
      head.type = *type;
      tokens_.advance();
    } else {
      tokens_.fail_expected("a type, '.align', '.v2', '.v4' or '.attribute'");
    }
  }
  if (head.space == Space::tex) as_texture_reference(head);
  check_head(head);
  return head;
}

/// `.tex .u64 name;` of PTX 1.4 and before means `.global .texref name;` of later versions.
void Parser::as_texture_reference(DeclarationHead& head) const {
  if (head.type != Type::u32 && head.type != Type::u64) {
    tokens_.fail(head.at, "'.tex' variables are '.u32' or '.u64'");
  }
  head.space = Space::global;
  head.type = Type::texref;
}

void Parser::check_head(const DeclarationHead& head) const {
  if (head.type == Type::none) tokens_.fail_expected("a type such as '.u32'");
  if (!is_declarable(head.type)) {
    tokens_.fail(head.at, "'.{0}' is a type of instructions alone: declare '.b{1}' for it",
                 name(head.type), std::max(bits(head.type), 8u));
  }
  if (head.linkage == Linkage::common && head.space != Space::global) {
    tokens_.fail(head.at, "'.common' variables are '.global'");
  }
  if (head.space == Space::param) check_parameter_head(head);
  if (head.type == Type::pred && head.space != Space::reg) {
    tokens_.fail(head.at, "predicates live in registers only, not in '{}'", head.at.text);
  }
  if (is_opaque(head.type) && head.space != Space::global && head.space != Space::param) {
    tokens_.fail(head.at, "'.{}' variables are '.global' or '.param'", name(head.type));
  }
  if (head.type == Type::samplerref && !module_.independent_samplers) {
    tokens_.fail(head.at, "samplers are declared with '.target texmode_independent' only");
  }
  const bool vector = head.vector != 1;
  if (vector &&
      (head.type == Type::pred || is_opaque(head.type) || bits(head.type) * head.vector > 128)) {
    tokens_.fail(head.at, "a vector holds at most 128 bits of numbers, not {} '.{}'", head.vector,
                 name(head.type));
  }
}

/// PTX ISA 5.1.6. Only kernels have handles as parameters.
void Parser::check_parameter_head(const DeclarationHead& head) const {
  if (head.type == Type::f16x2) tokens_.fail(head.at, "'.f16x2' is no type of '.param' variables");
  if (is_opaque(head.type) && !kernel_formals_) {
    tokens_.fail(head.at, "'.{}' parameters are of kernels alone", name(head.type));
  }
  constexpr unsigned kMostAlignment = 128;
  if (head.alignment > kMostAlignment && !kernel_formals_) {
    tokens_.fail(head.at, "'.param' variables are aligned to {} bytes at most", kMostAlignment);
  }
}

unsigned Parser::parse_alignment() {
  tokens_.advance();
  const Token token = tokens_.current();
  const std::uint32_t value = expect_u32("an alignment in bytes");
  if (!std::has_single_bit(value)) {
    tokens_.fail(token, "alignment {} is not a power of two", value);
  }
  return value;
}

void Parser::parse_attribute(DeclarationHead& head) {
  tokens_.advance();
  tokens_.expect('(');
  do {
    if (tokens_.accept_word(".managed")) {
      head.managed = true;
    } else if (tokens_.accept_word(".unified")) {  // a universally unique identifier; no effect
      tokens_.expect('(');
      parse_integer(tokens_, "an integer");
      tokens_.expect(',');
      parse_integer(tokens_, "an integer");
      tokens_.expect(')');
    } else {
      tokens_.fail_expected("'.managed' or '.unified'");
    }
  } while (tokens_.accept(','));
  tokens_.expect(')');
}

/// .ptr {.space} {.align N}: describes the target of a pointer parameter, not the parameter itself.
void Parser::parse_pointer(DeclarationHead& head) {
  tokens_.advance();
  head.pointer = true;
  const Token& token = tokens_.current();
  if (token.kind == Token::Kind::dotted && space_from_name(token.word())) tokens_.advance();
  if (tokens_.at_word(".align")) parse_alignment();
}

Variable Parser::make_variable(const DeclarationHead& head, const Token& name) const {
  Variable variable;
  variable.name = name.text;
  variable.space = head.space;
  variable.type = head.type;
  variable.vector = head.vector;
  variable.linkage = head.linkage;
  variable.managed = head.managed;
  variable.pointer = head.pointer;
  variable.at = position(name);
  const auto natural = static_cast<unsigned>(element_bytes(variable));
  variable.alignment = head.alignment != 0 ? head.alignment : std::max(natural, 1u);
  return variable;
}

void Parser::parse_dimensions(Variable& variable) {
  while (tokens_.accept('[')) {
    const bool first = variable.dimensions.empty();
    if (first && tokens_.accept(']')) {
      variable.dimensions.push_back(0);
      continue;
    }
    const Token token = tokens_.current();
    const Constant extent = parse_integer(tokens_, "an array size");
    const bool negative = extent.kind == Constant::Kind::s64 && extent.bits >> 63 != 0;
    if (negative || extent.bits > kMostBytes || (extent.bits == 0 && !first)) {
      tokens_.fail(token, "array size {}{} is out of range", negative ? "-" : "",
                   negative ? 0 - extent.bits : extent.bits);
    }
    variable.dimensions.push_back(extent.bits);
    tokens_.expect(']');
  }
}

void Parser::finish_size(Variable& variable, const Token& name) const {
  const bool incomplete = !variable.dimensions.empty() && variable.dimensions[0] == 0;
  const bool of_function = variable.space == Space::param && function_ == kNoId && !kernel_formals_;
  if (incomplete && variable.linkage != Linkage::external && !of_function) {
    tokens_.fail(name, "array '{}' needs a size: it is not '.extern' and has no initializer",
                 name.text);
  }
  if (variable.space == Space::param && variable.vector != 1 && variable.dimensions.empty()) {
    tokens_.fail(name, "'.param' variables are no vectors: declare '{}' as an array", name.text);
  }
  std::uint64_t size = element_bytes(variable);
  for (const std::uint64_t extent : variable.dimensions) {
    if (extent != 0 && size > kMostBytes / extent) {
      tokens_.fail(name, "'{}' is larger than {} bytes", name.text, kMostBytes);
    }
    size *= extent;
  }
  variable.size = size;
}

void Parser::parse_declarator(const DeclarationHead& head) {
  const Token name = tokens_.expect_identifier("a name to declare");
  if (head.space == Space::reg) return parse_register_declarator(head, name);
  if (tokens_.at('<')) return parse_variable_range(head, name);
  Variable variable = make_variable(head, name);
  parse_dimensions(variable);
  if (tokens_.accept('=')) parse_initializer(variable);
  finish_size(variable, name);
  declare_variable(std::move(variable), name.text, name);
}

std::uint32_t Parser::parse_range_count() {
  tokens_.expect('<');
  const Token token = tokens_.current();
  // An additive expression: with a weaker operator, the closing '>' would be a comparison.
  const Constant count = parse_integer(tokens_, "a number of names", Precedence::additive);
  if (count.bits > kMostRegisters) tokens_.fail(token, "number of names is out of range");
  tokens_.expect('>');
  return static_cast<std::uint32_t>(count.bits);
}

void Parser::parse_variable_range(const DeclarationHead& head, const Token& prefix) {
  constexpr std::uint32_t kMostVariables = 1u << 16;
  const std::uint32_t count = parse_range_count();
  if (count > kMostVariables) tokens_.fail(prefix, "at most {} variables", kMostVariables);
  for (std::uint32_t i = 0; i < count; ++i) {
    Variable variable = make_variable(head, prefix);
    variable.name = names_.emplace_back(fmt::format("{}{}", prefix.text, i));
    finish_size(variable, prefix);
    declare_variable(std::move(variable), names_.back(), prefix);
  }
}

void Parser::declare_variable(Variable variable, std::string_view name, const Token& at) {
  const bool in_function = function_ != kNoId;
  auto& variables = in_function ? function().variables : module_.variables;
  Symbol symbol;
  symbol.scope = in_function ? Operand::Scope::function_variable : Operand::Scope::module_variable;
  symbol.id = static_cast<std::uint32_t>(variables.size());
  if (scopes_.declare(name, symbol)) {
    variables.push_back(std::move(variable));
    return;
  }
  const Symbol known = *scopes_.find_innermost(name);
  if (in_function || known.scope != Operand::Scope::module_variable) {
    tokens_.fail(at, "'{}' is already declared in this scope", name);
  }
  merge_module_variable(known.id, std::move(variable), at);
}

/// An `.extern` declaration and its definition are one variable, and so are `.common` ones of one
/// name.
void Parser::merge_module_variable(std::uint32_t id, Variable variable, const Token& at) {
  Variable& known = module_.variables[id];
  const bool common = known.linkage == Linkage::common && variable.linkage == Linkage::common;
  if (known.linkage != Linkage::external && variable.linkage != Linkage::external && !common) {
    tokens_.fail(at, "'{}' is already defined in line {}", at.text, known.at.line);
  }
  if (known.linkage == Linkage::external && variable.linkage == Linkage::none) {
    tokens_.fail(at, "'{}' is '.extern' in line {}: what it stands for is '.visible'", at.text,
                 known.at.line);
  }
  if (!same_shape(known, variable)) {
    tokens_.fail(at, "'{}' differs from its declaration in line {}", at.text, known.at.line);
  }
  const bool says_more = known.size == 0 && variable.size != 0;
  if (known.linkage == Linkage::external && (variable.linkage != Linkage::external || says_more)) {
    known = std::move(variable);
  }
}

void Parser::parse_register_declarator(const DeclarationHead& head, const Token& name) {
  const bool range = tokens_.at('<');
  const std::uint32_t count = range ? parse_range_count() : 1;
  if (tokens_.at('[')) tokens_.fail_expected("',' or ';': there are no arrays of registers");
  Symbol symbol{Symbol::Kind::reg, {}, 0, head.vector};
  symbol.id = add_registers(head, name, count, range);
  const bool fresh =
      range ? scopes_.declare_range(name.text, count, symbol) : scopes_.declare(name.text, symbol);
  if (!fresh) tokens_.fail(name, "'{}' is already declared in this scope", name.text);
}

/// Adds `count` registers, or as many vectors of registers; returns the first id.
std::uint32_t Parser::add_registers(const DeclarationHead& head, const Token& name,
                                    std::uint32_t count, bool numbered) {
  constexpr char kElements[] = "xyzw";
  std::vector<Register>& registers = function().registers;
  const auto first = static_cast<std::uint32_t>(registers.size());
  register_total_ += std::uint64_t{count} * head.vector;
  if (register_total_ > kMostRegisters) {
    tokens_.fail(name, "more than {} registers in one module", kMostRegisters);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string text(name.text);
    if (numbered) text += std::to_string(i);
    if (head.vector == 1) {
      registers.push_back({std::move(text), head.type});
      continue;
    }
    for (unsigned element = 0; element < head.vector; ++element) {
      registers.push_back({text + "." + kElements[element], head.type});
    }
  }
  return first;
}

}  // namespace raddle::ptx
