// Statements in the body of a function: blocks, labels, instructions (PTX ISA 4.3).
#include "base/config.h"
#include "ptx/parser.h"

namespace raddle::ptx {

void Parser::parse_block() {
  const NestingGuard guard(tokens_, depth_);
  const std::size_t outer_pending = pending_.size();
  const Token open = tokens_.expect('{');
  scopes_.push();
  while (!tokens_.at('}')) {
    if (tokens_.current().kind == Token::Kind::end) {
      tokens_.fail(tokens_.current(), "end of file in the body that '{{' opened in line {}",
                   open.line);
    }
    parse_statement();
  }
  resolve_labels(outer_pending);
  scopes_.pop();
  tokens_.advance();
}

void Parser::parse_statement() {
  const Token& token = tokens_.current();
  if (token.is('{')) return parse_block();
  if (token.kind == Token::Kind::dotted) return parse_directive_statement();
  if (token.is('@')) {
    if (tokens_.peek().is('@')) return tokens_.skip_line();  // "@@DWARF ..." of PTX 1.x
    bool negated = false;
    const std::uint32_t guard = parse_guard(negated);
    return parse_instruction(tokens_.expect_identifier("an instruction"), guard, negated);
  }
  const Token name = tokens_.expect_identifier("an instruction, a label or a directive");
  if (tokens_.at(':')) return parse_label(name);
  parse_instruction(name, kNoId, false);
}

void Parser::parse_directive_statement() {
  const std::string_view word = tokens_.current().word();
  if (word == "loc") return parse_location();
  if (word == "pragma") {
    const auto next = static_cast<std::uint32_t>(function().instructions.size());
    if (parse_pragma(PragmaPlace::body)) function().nounroll.push_back(next);
    return;
  }
  if (word == "file") return parse_file();
  if (word == "section") return parse_section();
  parse_variables(Linkage::none);
}

void Parser::parse_label(const Token& name) {
  tokens_.expect(':');
  Label label;
  label.name = name.text;
  label.at = position(name);
  label.instruction = static_cast<std::uint32_t>(function().instructions.size());
  const auto id = static_cast<std::uint32_t>(function().labels.size());
  if (!scopes_.declare(name.text, {Symbol::Kind::label, {}, id})) {
    tokens_.fail(name, "'{}' is already declared in this scope", name.text);
  }
  if (tokens_.current().kind == Token::Kind::dotted) parse_label_directive(label);
  function().labels.push_back(std::move(label));
}

/// .callprototype, .calltargets and .branchtargets, which have a label as name. Other directives
/// after a label are statements of their own.
void Parser::parse_label_directive(Label& label) {
  if (tokens_.accept_word(".callprototype")) {
    label.kind = Label::Kind::prototype;
    label.index = static_cast<std::uint32_t>(function().prototypes.size());
    function().prototypes.push_back(parse_prototype());
    tokens_.expect(';');
    return;
  }
  const bool branches = tokens_.at_word(".branchtargets");
  if (!branches && !tokens_.at_word(".calltargets")) return;
  tokens_.advance();
  label.kind = Label::Kind::targets;
  label.index = static_cast<std::uint32_t>(function().target_lists.size());
  std::vector<Operand> targets;
  do {
    const Token name = tokens_.current();
    targets.push_back(branches ? parse_label_name() : parse_name());
    const bool is_function = targets.back().kind == Operand::Kind::symbol &&
                             targets.back().scope == Operand::Scope::function;
    if (!branches && !is_function) tokens_.fail(name, "'{}' is not a function", name.text);
    if (branches) {
      pending_.push_back(
          {true, label.index, static_cast<std::uint32_t>(targets.size() - 1), name, ""});
    }
  } while (tokens_.accept(','));
  function().target_lists.push_back(std::move(targets));
  tokens_.expect(';');
}

std::uint32_t Parser::parse_guard(bool& negated) {
  tokens_.expect('@');
  negated = tokens_.accept('!');
  const Token name = tokens_.expect_identifier("a predicate register");
  const auto symbol = scopes_.find(name.text);
  if (!symbol) fail_undefined(name);
  const bool predicate =
      symbol->kind == Symbol::Kind::reg && function().registers[symbol->id].type == Type::pred;
  if (!predicate) tokens_.fail(name, "guard '{}' is not a predicate register", name.text);
  return symbol->id;
}

void Parser::parse_instruction(const Token& opcode, std::uint32_t guard, bool negated) {
  modifiers_.clear();
  operands_.clear();
  opcode_ = opcode.text;
  while (tokens_.current().kind == Token::Kind::dotted) {
    modifiers_.push_back(tokens_.advance().word());
  }
  label_uses_.clear();
  try {
    parse_instruction_operands();
  } catch (const InputError&) {
    blame_opcode(opcode.text, module_.position(position(opcode)));
    throw;
  }
  tokens_.advance();

  std::vector<Instruction>& instructions = function().instructions;
  const auto index = static_cast<std::uint32_t>(instructions.size());
  for (PendingLabel& use : label_uses_) {
    use.owner = index;
    pending_.push_back(std::move(use));
  }
  Instruction& instruction = instructions.emplace_back();
  instruction.opcode = opcode.text;
  instruction.modifiers.assign(modifiers_.begin(), modifiers_.end());
  instruction.guard = guard;
  instruction.guard_negated = negated;
  instruction.operands.assign(std::make_move_iterator(operands_.begin()),
                              std::make_move_iterator(operands_.end()));
  instruction.at = position(opcode);
}

/// Reads up to ';'.
void Parser::parse_instruction_operands() {
  if (opcode_ == "call") {
    parse_call_operands();
  } else if (opcode_ == "bra") {
    add_label_operand();
  } else if (!tokens_.at(';')) {
    do {
      if (opcode_ == "brx" && !operands_.empty()) {
        add_label_operand();
      } else {
        add_operand();
      }
    } while (tokens_.accept(','));
  }
  if (!tokens_.at(';'))
    tokens_.fail_expected(operands_.empty() ? "an operand or ';'" : "',' or ';'");
}

/// Throws if the opcode is no instruction: then the error in its operands does not matter.
void Parser::blame_opcode(std::string_view opcode, const SourcePosition& at) const {
  const std::string wrong = unknown_ ? unknown_(opcode) : std::string();
  if (!wrong.empty()) fail_at(at, "{}", wrong);
}

/// Adds an operand of the current instruction. A name that is still unknown may be a label further
/// down.
void Parser::add_operand() {
  const Token start = tokens_.current();
  operands_.push_back(parse_operand());
  if (operands_.back().kind == Operand::Kind::label) {
    note_label_use(start, scopes_.suggestion(start.text));
  }
}

void Parser::add_label_operand() {
  const Token start = tokens_.current();
  operands_.push_back(parse_label_name());
  note_label_use(start, "");
}

void Parser::note_label_use(const Token& name, std::string suggestion) {
  const auto operand = static_cast<std::uint32_t>(operands_.size() - 1);
  label_uses_.push_back({false, kNoId, operand, name, std::move(suggestion)});
}

/// call {(results),} callee {, (arguments)} {, prototype or targets}
void Parser::parse_call_operands() {
  if (tokens_.at('(')) {
    operands_.push_back(parse_group('(', ')', Operand::Kind::list));
    tokens_.expect(',');
  }
  const Token callee = tokens_.current();
  if (callee.kind != Token::Kind::identifier) tokens_.fail_expected("a function to call");
  operands_.push_back(parse_name());
  const Operand& target = operands_.back();
  if (target.kind == Operand::Kind::label) fail_undefined(callee);
  const bool is_function =
      target.kind == Operand::Kind::symbol && target.scope == Operand::Scope::function;
  if (!is_function && target.kind != Operand::Kind::reg) {
    tokens_.fail(callee, "'{}' is neither a function nor a register with its address", callee.text);
  }
  if (!tokens_.accept(',')) return;
  if (tokens_.at('(')) {
    operands_.push_back(parse_group('(', ')', Operand::Kind::list));
    if (!tokens_.accept(',')) return;
  }
  const Token name = tokens_.current();
  const auto table = name.kind == Token::Kind::identifier ? scopes_.find(name.text) : std::nullopt;
  if (table && table->kind == Symbol::Kind::variable) {
    operands_.push_back(parse_name());
  } else {
    add_label_operand();
  }
}

/// Resolves the labels of the block that ends here in their uses. Other uses are left to the
/// enclosing block.
void Parser::resolve_labels(std::size_t first_pending) {
  std::size_t kept = first_pending;
  for (std::size_t i = first_pending; i < pending_.size(); ++i) {
    PendingLabel& use = pending_[i];
    const auto symbol = scopes_.find_innermost(use.name.text);
    if (!symbol) {
      if (kept != i) pending_[kept] = std::move(use);
      ++kept;
      continue;
    }
    if (symbol->kind != Symbol::Kind::label) {
      tokens_.fail(use.name, "'{}' is not a label", use.name.text);
    }
    const Label::Kind kind = function().labels[symbol->id].kind;
    const std::string_view opcode =
        use.in_target_list ? "bra" : function().instructions[use.owner].opcode;
    if (opcode == "bra" && kind != Label::Kind::code) {
      tokens_.fail(use.name, "'{}' is not the label of an instruction", use.name.text);
    }
    auto& operands = use.in_target_list ? function().target_lists[use.owner]
                                        : function().instructions[use.owner].operands;
    operands[use.operand].id = symbol->id;
  }
  pending_.resize(kept);
}

void Parser::fail_undefined_label(const PendingLabel& use) const {
  const Token& name = use.name;
  if (!use.in_target_list) {
    const Instruction& user = function().instructions[use.owner];
    blame_opcode(user.opcode, module_.position(user.at));
  }
  std::vector<std::string> known;
  for (const Label& label : function().labels) known.push_back(label.name);
  const std::vector<std::string> near = near_names(name.text, known);
  if (near.empty()) tokens_.fail(name, "name '{}' is not declared{}", name.text, use.suggestion);
  tokens_.fail(name, "name '{}' is not declared in this scope; did you mean label '{}'?", name.text,
               near.front());
}

}  // namespace raddle::ptx
