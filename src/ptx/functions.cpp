// Kernels, functions and call prototypes (PTX ISA 7, 11.3, 11.4).
#include <algorithm>

#include "ptx/parser.h"

namespace raddle::ptx {
namespace {

bool same_parameters(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].space != b[i].space || a[i].type != b[i].type || a[i].size != b[i].size ||
        a[i].alignment != b[i].alignment) {
      return false;
    }
  }
  return true;
}

/// Whether a second declaration may have this linkage: the same, or none where the first is visible
/// outside.
bool linkages_agree(Linkage first, Linkage second) {
  return first == second ||
         (second == Linkage::none && (first == Linkage::visible || first == Linkage::weak));
}

/// Directives that may follow a declaration without ';'.
bool begins_definition(std::string_view directive) {
  constexpr std::string_view kDirectives[] = {
      "visible", "extern", "weak",   "common", "entry", "func",    "global", "const",
      "shared",  "tex",    "target", "file",   "loc",   "section", "alias",  "address_size"};
  return std::find(std::begin(kDirectives), std::end(kDirectives), directive) !=
         std::end(kDirectives);
}

}  // namespace

void Parser::parse_function(Linkage linkage, bool entry) {
  Function function;
  function.entry = entry;
  function.linkage = linkage;
  DeclarationHead unused;
  if (tokens_.at_word(".attribute")) parse_attribute(unused);
  if (!entry && tokens_.at('(')) function.returns = parse_returns();
  const Token name = tokens_.expect_identifier(entry ? "the kernel's name" : "the function's name");
  function.name = name.text;
  function.at = position(name);
  kernel_formals_ = entry;
  if (tokens_.at('(')) function.parameters = parse_parameters();
  kernel_formals_ = false;
  for (const Variable& parameter : function.parameters) {
    if (entry && parameter.space == Space::reg) {
      tokens_.fail(name, "parameters of kernel '{}' must be '.param', not '.reg'", name.text);
    }
  }
  const Token directives = tokens_.current();
  parse_function_directives(function);
  function.defined = tokens_.at('{');
  if (entry && !function.defined && tokens_.current().text.data() != directives.text.data()) {
    tokens_.fail(directives, "'{}' stands at kernels with a body", directives.text);
  }
  if (!function.defined && !tokens_.accept(';')) {
    // Compilers of CUDA 3 and 4 end the declaration of a function (not of a kernel) without ';'.
    const Token& next = tokens_.current();
    const bool ends = next.kind == Token::Kind::end ||
                      (next.kind == Token::Kind::dotted && begins_definition(next.word()));
    if (entry || !ends) {
      tokens_.fail_expected("a performance directive, ';' or the body in '{'");
    }
  }
  const bool has_body = function.defined;
  const std::uint32_t id = declare_function(std::move(function), name);
  if (has_body) parse_body(id);
}

std::vector<Variable> Parser::parse_parameters() {
  std::vector<Variable> parameters;
  tokens_.expect('(');
  if (tokens_.accept(')')) return parameters;
  do {
    parameters.push_back(parse_parameter());
  } while (tokens_.accept(','));
  tokens_.expect(')');
  return parameters;
}

/// Several results must be in registers (PTX ISA 11.3.2).
std::vector<Variable> Parser::parse_returns() {
  const Token start = tokens_.current();
  std::vector<Variable> returns = parse_parameters();
  const bool in_memory = std::any_of(returns.begin(), returns.end(),
                                     [](const Variable& one) { return one.space == Space::param; });
  if (returns.size() > 1 && in_memory) {
    tokens_.fail(start, "a function has one result in '.param'; several are in '.reg'");
  }
  return returns;
}

Variable Parser::parse_parameter() {
  if (!tokens_.at_word(".param") && !tokens_.at_word(".reg")) {
    tokens_.fail_expected("'.param' or '.reg'");
  }
  const DeclarationHead head = parse_declaration_head(Linkage::none);
  const Token name = tokens_.expect_identifier("the parameter's name");
  Variable parameter = make_variable(head, name);
  if (head.space == Space::param) parse_dimensions(parameter);
  if (tokens_.at('=')) tokens_.fail_expected("',' or ')': parameters have no initial value");
  finish_size(parameter, name);
  return parameter;
}

void Parser::parse_triple(std::uint32_t (&values)[3]) {
  tokens_.advance();
  std::fill(std::begin(values), std::end(values), 1u);
  for (unsigned i = 0; i < 3 && (i == 0 || tokens_.accept(',')); ++i) {
    const Token token = tokens_.current();
    values[i] = expect_u32("a positive number");
    if (values[i] == 0) tokens_.fail(token, "expected a positive number, found 0");
  }
}

/// PTX ISA 11.4: performance-tuning directives and cluster dimensions. Returns false for any other
/// directive.
bool Parser::parse_kernel_directive(Function& function) {
  const std::string_view word = tokens_.current().word();
  const auto number = [this](std::uint32_t& value) {
    tokens_.advance();
    value = expect_u32("a number");
  };
  const auto positive = [this](std::uint32_t& value) {
    tokens_.advance();
    const Token token = tokens_.current();
    value = expect_u32("a positive number");
    if (value == 0) tokens_.fail(token, "expected a positive number, found 0");
  };
  if (word == "maxntid") {
    parse_triple(function.maxntid);
  } else if (word == "reqntid") {
    parse_triple(function.reqntid);
  } else if (word == "reqnctapercluster") {
    parse_triple(function.reqnctapercluster);
  } else if (word == "minnctapersm") {
    positive(function.minnctapersm);
  } else if (word == "maxnctapersm") {
    number(function.maxnctapersm);
  } else if (word == "maxnreg") {
    positive(function.maxnreg);
  } else if (word == "maxclusterrank") {
    number(function.maxclusterrank);
  } else if (word == "explicitcluster") {
    function.explicitcluster = true;
    tokens_.advance();
  } else if (word == "blocksareclusters") {
    function.blocksareclusters = true;
    tokens_.advance();
  } else if (word == "pragma") {
    function.nounroll_all |= parse_pragma(PragmaPlace::function);
  } else {
    return false;
  }
  return true;
}

/// Directives of functions and prototypes. Returns false for any other directive.
bool Parser::parse_callee_directive(Function& function) {
  const std::string_view word = tokens_.current().word();
  if (word == "noreturn") {
    function.noreturn = true;
    tokens_.advance();
  } else if (word == "abi_preserve" || word == "abi_preserve_control") {
    function.preserves = true;
    tokens_.advance();
    expect_u32("a number");
  } else {
    return false;
  }
  return true;
}

void Parser::parse_function_directives(Function& function) {
  while (tokens_.current().kind == Token::Kind::dotted) {
    const Token token = tokens_.current();
    if (begins_definition(token.word())) return;
    if (function.entry ? parse_kernel_directive(function) : parse_callee_directive(function)) {
      continue;
    }
    Function other;
    if (function.entry ? parse_callee_directive(other) : parse_kernel_directive(other)) {
      tokens_.fail(token, "'{}' is for {}", token.text,
                   function.entry ? "functions, not for kernels" : "kernels, not for functions");
    }
    tokens_.fail_expected("a performance directive, ';' or the body in '{'");
  }
}

/// Enters a new function, or completes a declared one; returns its id.
std::uint32_t Parser::declare_function(Function function, const Token& name) {
  Symbol symbol;
  symbol.scope = Operand::Scope::function;
  symbol.id = static_cast<std::uint32_t>(module_.functions.size());
  if (scopes_.declare(name.text, symbol)) {
    module_.functions.push_back(std::move(function));
    return symbol.id;
  }
  symbol = *scopes_.find_innermost(name.text);
  if (symbol.scope != Operand::Scope::function) {
    tokens_.fail(name, "'{}' is already declared as a variable", name.text);
  }
  Function& known = module_.functions[symbol.id];
  if (known.defined) {
    tokens_.fail(name, "'{}' is already defined in line {}", name.text, known.at.line);
  }
  if (known.entry != function.entry || known.noreturn != function.noreturn ||
      !linkages_agree(known.linkage, function.linkage) ||
      !same_parameters(known.returns, function.returns) ||
      !same_parameters(known.parameters, function.parameters)) {
    tokens_.fail(name, "'{}' differs from its declaration in line {}", name.text, known.at.line);
  }
  function.alias_of = known.alias_of;
  if (function.linkage == Linkage::none) function.linkage = known.linkage;
  known = std::move(function);
  return symbol.id;
}

void Parser::declare_formals(std::vector<Variable>& formals, Operand::Scope scope) {
  for (std::uint32_t i = 0; i < formals.size(); ++i) {
    Variable& formal = formals[i];
    if (formal.name == "_") continue;
    // The scope keeps a view of the name, so the formals must not move while the body is read.
    Symbol symbol{Symbol::Kind::variable, scope, i};
    if (formal.space == Space::reg) {
      Token name;
      name.text = formal.name;
      name.line = formal.at.line;
      name.column = formal.at.column;
      DeclarationHead head;
      head.type = formal.type;
      head.vector = formal.vector;
      formal.register_id = add_registers(head, name, 1, false);
      symbol = {Symbol::Kind::reg, scope, formal.register_id, formal.vector};
    }
    if (!scopes_.declare(formal.name, symbol)) {
      fail_at(module_.position(formal.at), "'{}' is already a parameter", formal.name);
    }
  }
}

void Parser::parse_body(std::uint32_t id) {
  function_ = id;
  source_file_ = source_line_ = inlined_ = 0;
  inlined_places_.clear();
  scopes_.push();
  declare_formals(function().returns, Operand::Scope::return_value);
  declare_formals(function().parameters, Operand::Scope::parameter);
  parse_block();
  resolve_labels(0);
  if (!pending_.empty()) fail_undefined_label(pending_.front());
  scopes_.pop();
  function_ = kNoId;
}

/// .callprototype {(returns)} _ {(parameters)} {.noreturn}
Prototype Parser::parse_prototype() {
  Prototype prototype;
  if (tokens_.at('(')) prototype.returns = parse_returns();
  tokens_.expect_identifier("'_' in place of a function's name");
  if (tokens_.at('(')) prototype.parameters = parse_parameters();
  Function directives;
  parse_function_directives(directives);
  prototype.noreturn = directives.noreturn;
  return prototype;
}

}  // namespace raddle::ptx
