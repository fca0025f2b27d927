// Module-level directives that declare nothing (PTX ISA 11.1, 11.5, 11.6).
#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "ptx/parser.h"

namespace raddle::ptx {
namespace {

/// Reads a decimal number at the beginning of `text` and removes it.
bool take_number(std::string_view& text, unsigned& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

}  // namespace

std::uint32_t Parser::expect_u32(std::string_view what) {
  const Token start = tokens_.current();
  const Constant value = parse_integer(tokens_, what);
  if (value.bits > 0xffffffffu) tokens_.fail(start, "{} is out of range", what);
  return static_cast<std::uint32_t>(value.bits);
}

void Parser::parse_version() {
  tokens_.advance();
  const Token token = tokens_.expect(Token::Kind::real64, "a version such as 8.0");
  std::string_view text = token.text;
  bool good = take_number(text, module_.version_major) && text.starts_with('.');
  if (good) text.remove_prefix(1);
  good = good && take_number(text, module_.version_minor) && text.empty();
  if (!good || module_.version_major == 0) {
    tokens_.fail(token, "expected a version such as 8.0, found '{}'", token.text);
  }
}

void Parser::parse_target() {
  tokens_.advance();
  std::optional<Token> maps_doubles;
  bool unified = false;
  do {
    const Token token = tokens_.expect_identifier("a target such as sm_70");
    if (token.text == "texmode_independent") module_.independent_samplers = true;
    unified |= token.text == "texmode_unified";
    if (unified && module_.independent_samplers)
      tokens_.fail(token, "'texmode_unified' and 'texmode_independent' exclude each other");
    if (token.text == "map_f64_to_f32") maps_doubles = token;
    if (token.text == "debug") debug_ = token;
    if (!token.text.starts_with("sm_") && !token.text.starts_with("compute_")) {
      constexpr std::string_view kModes[] = {"texmode_independent", "texmode_unified", "debug",
                                             "map_f64_to_f32"};
      if (std::find(std::begin(kModes), std::end(kModes), token.text) == std::end(kModes))
        tokens_.fail(token, "'{}' is neither a target such as sm_70 nor a mode", token.text);
      continue;
    }
    std::string_view number = token.text.substr(token.text.find('_') + 1);
    if (!take_number(number, module_.sm) || number.size() > 1) {
      tokens_.fail(token, "expected a target such as sm_70, found '{}'", token.text);
    }
    module_.target = token.text;
  } while (tokens_.accept(','));
  if (module_.target.empty()) tokens_.fail_expected("a target such as sm_70");
  if (maps_doubles && module_.sm >= 13)
    tokens_.fail(*maps_doubles, "'map_f64_to_f32' is for targets before sm_13, which have no .f64");
}

void Parser::parse_address_size() {
  tokens_.advance();
  const Token token = tokens_.current();
  module_.address_size = expect_u32("an address size");
  if (module_.address_size != 32 && module_.address_size != 64) {
    tokens_.fail(token, "address size is 32 or 64, not {}", module_.address_size);
  }
}

namespace {

/// Replaces octal numbers, which compilers write for letters beyond ASCII, by bytes: "\303\266" is
/// "ö".
std::string with_letters(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string made;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const std::string_view rest = text.substr(n, 4);
    const bool letter = rest.size() == 4 && rest[0] == '\\' && (rest[1] == '2' || rest[1] == '3') &&
                        octal(rest[2]) && octal(rest[3]);
    if (letter) n += 3;
    made += letter
                ? static_cast<char>((rest[1] - '0') << 6 | (rest[2] - '0') << 3 | (rest[3] - '0'))
                : text[n];
  }
  return made;
}

}  // namespace

void Parser::parse_file() {
  constexpr std::uint32_t kMostFiles = 1u << 20;
  tokens_.advance();
  const Token number = tokens_.current();
  const std::uint32_t index = expect_u32("a file number");
  if (index >= kMostFiles) tokens_.fail(number, "file number {} is out of range", index);
  const Token name = tokens_.expect(Token::Kind::string, "a file name in quotes");
  if (index >= module_.files.size()) module_.files.resize(index + 1);
  module_.files[index] = with_letters(name.text.substr(1, name.text.size() - 2));
  if (tokens_.accept(',')) {  // time of change and size
    expect_u32("a time stamp");
    tokens_.expect(',');
    parse_integer(tokens_, "a file size");
  }
}

Parser::SourcePlace Parser::parse_source_place() {
  const std::uint32_t file = expect_u32("a file number");
  const std::uint32_t line = expect_u32("a line number");
  return {file, line, expect_u32("a column number")};
}

void Parser::parse_location() {
  tokens_.advance();
  const SourcePlace place = parse_source_place();
  source_file_ = place[0];
  source_line_ = place[1];
  inlined_ = tokens_.accept(',') ? parse_inlining() : 0;
  inlined_places_[place] = inlined_;
}

/// "function_name label {+ offset}, inlined_at file line column": where the function with this body
/// was called. The .loc of the call itself came before, and showed whether that was inlined in
/// turn.
std::uint32_t Parser::parse_inlining() {
  tokens_.expect_identifier("'function_name'");
  tokens_.expect_identifier("a label");
  if (tokens_.accept('+')) parse_integer(tokens_, "an offset", Precedence::multiplicative);
  tokens_.expect(',');
  tokens_.expect_identifier("'inlined_at'");
  const SourcePlace call = parse_source_place();
  const auto outer = inlined_places_.find(call);
  const Inlining inlining{call[0], call[1], outer == inlined_places_.end() ? 0 : outer->second};
  const auto next = static_cast<std::uint32_t>(module_.inlinings.size());
  const auto [index, fresh] = inlinings_.try_emplace(inlining, next);
  if (fresh) module_.inlinings.push_back(inlining);
  return index->second + 1;
}

/// PTX ISA 11.5.4. In a module ptxas accepts only "nounroll". In functions it ignores unknown
/// pragmas. Some pragmas are about the next instruction and are only allowed in a body.
bool Parser::parse_pragma(PragmaPlace place) {
  constexpr std::string_view kOfInstructions[] = {"used_bytes_mask", "enable_smem_spilling",
                                                  "frequency"};
  tokens_.advance();
  bool nounroll = false;
  do {
    const Token token = tokens_.expect(Token::Kind::string, "a pragma in quotes");
    const std::string_view text = token.text.substr(1, token.text.size() - 2);
    nounroll |= text == "nounroll";
    const bool of_instruction =
        std::find(std::begin(kOfInstructions), std::end(kOfInstructions),
                  text.substr(0, text.find(' '))) != std::end(kOfInstructions);
    if (of_instruction && place != PragmaPlace::body)
      tokens_.fail(token, "the pragma {} stands in the body of a function only", token.text);
    if (place == PragmaPlace::module && text != "nounroll")
      tokens_.fail(token, "there is no pragma {} of modules: \"nounroll\" is the only one",
                   token.text);
  } while (tokens_.accept(','));
  tokens_.expect(';');
  return nounroll;
}

/// Debugging information (DWARF, PTX ISA 11.5.2): only its form is checked.
void Parser::parse_section() {
  const Token start = tokens_.advance();
  tokens_.expect(Token::Kind::dotted, "the section's name");
  tokens_.expect('{');
  while (!tokens_.accept('}')) {
    const Token token = tokens_.advance();
    if (token.kind == Token::Kind::end) tokens_.fail(start, "section is not closed by '}}'");
    if (token.kind == Token::Kind::identifier) {
      tokens_.expect(':');
      continue;
    }
    const std::string_view type = token.kind == Token::Kind::dotted ? token.word() : "";
    if (type != "b8" && type != "b16" && type != "b32" && type != "b64")
      tokens_.fail(token, "sections have labels and values of .b8, .b16, .b32 and .b64, not '{}'",
                   token.text);
    parse_section_values(type);
  }
  has_sections_ = true;
}

/// Numbers, or one address: a label, the distance of two labels, or a section.
void Parser::parse_section_values(std::string_view type) {
  const Token first = tokens_.current();
  const bool section = first.kind == Token::Kind::dotted;
  if (!section && first.kind != Token::Kind::identifier) {
    do {
      check_section_value(type);
    } while (tokens_.accept(','));
    return;
  }
  if (type != "b32" && type != "b64")
    tokens_.fail(first, "'{}' is an address, which .b32 and .b64 have room for", first.text);
  tokens_.advance();
  if (tokens_.accept('+')) {
    tokens_.expect(Token::Kind::integer, "a number of bytes");
  } else if (!section && tokens_.accept('-')) {
    tokens_.expect_identifier("a label");
  }
}

/// Checks values of 8 and 16 bits, signed or not; ptxas truncates longer ones.
void Parser::check_section_value(std::string_view type) {
  const bool negative = tokens_.accept('-');
  const Token value = tokens_.expect(Token::Kind::integer, "an integer");
  const unsigned bits = type == "b8" ? 8 : type == "b16" ? 16 : 64;
  const std::uint64_t most =
      negative ? std::uint64_t{1} << (bits - 1) : ~std::uint64_t{0} >> (64 - bits);
  if (bits < 64 && value.bits > most)
    tokens_.fail(value, "{}{} is no value of .{}", negative ? "-" : "", value.text, type);
}

void Parser::parse_alias() {
  tokens_.advance();
  std::uint32_t ids[2];
  Token names[2];
  for (int i = 0; i < 2; ++i) {
    if (i == 1) tokens_.expect(',');
    names[i] = tokens_.expect_identifier("a function name");
    const auto symbol = scopes_.find(names[i].text);
    if (!symbol || symbol->scope != Operand::Scope::function) fail_undefined(names[i]);
    ids[i] = symbol->id;
  }
  tokens_.expect(';');
  Function& alias = module_.functions[ids[0]];
  if (alias.defined) tokens_.fail(names[0], "alias '{}' has a body of its own", names[0].text);
  if (!module_.functions[ids[1]].defined) {
    tokens_.fail(names[1], "aliased function '{}' is not defined", names[1].text);
  }
  alias.alias_of = ids[1];
}

namespace {

void replace_alias(const Module& module, Operand& operand) {
  if (operand.kind == Operand::Kind::symbol && operand.scope == Operand::Scope::function) {
    const std::uint32_t target = module.functions[operand.id].alias_of;
    if (target != kNoId) operand.id = target;
  }
  for (Operand& element : operand.elements) replace_alias(module, element);
}

}  // namespace

/// Replaces uses of an alias by uses of its target, so that later stages need not know aliases.
void Parser::apply_aliases() {
  bool any = false;
  for (const Function& function : module_.functions) any |= function.alias_of != kNoId;
  if (!any) return;
  for (Function& function : module_.functions) {
    for (Instruction& instruction : function.instructions) {
      for (Operand& operand : instruction.operands) replace_alias(module_, operand);
    }
    for (auto& list : function.target_lists) {
      for (Operand& operand : list) replace_alias(module_, operand);
    }
  }
  for (Variable& variable : module_.variables) {
    for (Initializer& part : variable.initializer) {
      if (part.symbol == kNoId || part.scope != Operand::Scope::function) continue;
      const std::uint32_t target = module_.functions[part.symbol].alias_of;
      if (target != kNoId) part.symbol = target;
    }
  }
}

}  // namespace raddle::ptx
