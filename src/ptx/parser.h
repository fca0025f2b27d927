// Recursive descent over one PTX translation unit. Each group of members is in the .cpp file with
// its name.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/constant.h"
#include "ptx/module.h"
#include "ptx/scope.h"
#include "ptx/token_stream.h"

namespace raddle::ptx {

/// The part of a declaration before the names that it declares.
struct DeclarationHead {
  Linkage linkage = Linkage::none;
  Space space = Space::global;
  Type type = Type::none;
  unsigned vector = 1;
  unsigned alignment = 0;  // bytes; 0 = natural
  bool managed = false, pointer = false;
  Token at;
};

class Parser {
 public:
  Parser(Module& module, const UnknownOpcode& unknown);
  void parse_module();

 private:
  void parse_definition();  // a variable or a function

  // directives.cpp: directives of a module that declare nothing.
  void parse_version();
  void parse_target();
  void parse_address_size();
  void parse_file();
  void parse_location();
  using SourcePlace = std::array<std::uint32_t, 3>;  // file, line, column
  SourcePlace parse_source_place();
  std::uint32_t parse_inlining();  // .loc
  /// Returns whether "nounroll" is among the pragmas.
  enum class PragmaPlace : std::uint8_t { module, function, body };
  bool parse_pragma(PragmaPlace place);
  void parse_section();
  void parse_section_values(std::string_view type);
  void check_section_value(std::string_view type);
  void parse_alias();
  void apply_aliases();
  std::uint32_t expect_u32(std::string_view what);

  // declarations.cpp: variables and registers.
  DeclarationHead parse_declaration_head(Linkage);
  void parse_attribute(DeclarationHead&);
  unsigned parse_alignment();
  void parse_variables(Linkage);  // from the state space to ';'
  void parse_declarator(const DeclarationHead&);
  void parse_pointer(DeclarationHead&);
  void as_texture_reference(DeclarationHead&) const;
  void check_head(const DeclarationHead&) const;
  void check_parameter_head(const DeclarationHead&) const;
  void parse_dimensions(Variable&);
  Variable make_variable(const DeclarationHead&, const Token& name) const;
  void finish_size(Variable&, const Token& name) const;
  void parse_variable_range(const DeclarationHead&, const Token& prefix);
  void declare_variable(Variable, std::string_view name, const Token& at);
  void merge_module_variable(std::uint32_t id, Variable, const Token& at);
  void parse_register_declarator(const DeclarationHead&, const Token& name);
  std::uint32_t add_registers(const DeclarationHead&, const Token& name, std::uint32_t count,
                              bool numbered);
  std::uint32_t parse_range_count();  // <N>

  // initializers.cpp
  void parse_initializer(Variable&);
  void parse_initializer_level(Variable&, const std::vector<std::uint64_t>& extents,
                               std::size_t level, std::uint64_t first);
  Initializer parse_initializer_element(const Variable&);
  Initializer parse_initializer_address(const Variable&);
  void parse_settings(Variable& variable, std::size_t level);

  // functions.cpp
  void parse_function(Linkage, bool entry);
  std::vector<Variable> parse_parameters();
  std::vector<Variable> parse_returns();
  Variable parse_parameter();
  void parse_function_directives(Function&);
  bool parse_kernel_directive(Function&);
  bool parse_callee_directive(Function&);
  void parse_triple(std::uint32_t (&values)[3]);
  std::uint32_t declare_function(Function, const Token& name);
  void parse_body(std::uint32_t function);
  void declare_formals(std::vector<Variable>&, Operand::Scope);
  Prototype parse_prototype();

  // statements.cpp
  void parse_block();
  void parse_statement();
  void parse_directive_statement();
  void parse_label(const Token& name);
  void parse_label_directive(Label&);
  void parse_instruction(const Token& opcode, std::uint32_t guard, bool negated);
  void parse_call_operands();
  std::uint32_t parse_guard(bool& negated);
  void add_operand();
  void add_label_operand();
  void note_label_use(const Token& name, std::string suggestion);
  void resolve_labels(std::size_t first_pending);

  // operands.cpp
  Operand parse_operand();
  Operand parse_simple_operand();
  Operand parse_name();
  Operand parse_register(const Symbol&, const Token& name);
  Operand parse_symbol(const Symbol&, const Token& name);
  Operand parse_variable_use(const Symbol&, const Token& name);
  Operand parse_special(const Token& name);
  Operand parse_label_name();
  Operand parse_constant_operand();
  void check_negation(bool logical, const Operand& operand, const Token& name) const;
  Operand parse_address();
  Operand parse_group(char open, char close, Operand::Kind);
  std::int64_t parse_offset();
  const Variable& variable(const Symbol&) const;
  [[noreturn]] void fail_undefined(const Token& name) const;

  Position position(const Token&) const;
  Function& function() { return module_.functions[function_]; }
  const Function& function() const { return module_.functions[function_]; }

  /// A use of a label that may be declared further down, in this scope or one around it.
  struct PendingLabel {
    bool in_target_list = false;
    std::uint32_t owner = 0, operand = 0;  // instruction or target list; index of the operand in it
    Token name;
    std::string suggestion;  // for the error, made from names that may be out of scope later
  };
  void blame_opcode(std::string_view opcode, const SourcePosition& at) const;
  void parse_instruction_operands();
  [[noreturn]] void fail_undefined_label(const PendingLabel&) const;

  Module& module_;
  const UnknownOpcode& unknown_;
  TokenStream tokens_;
  ScopeStack scopes_;
  std::uint32_t function_ = kNoId;  // the function whose body is being read
  bool kernel_formals_ = false;     // the parameters of a kernel are being read
  std::uint32_t source_file_ = 0, source_line_ = 0, inlined_ = 0;  // from the last .loc
  std::optional<Token> debug_;                                     // from .target
  bool has_sections_ = false;
  std::map<SourcePlace, std::uint32_t> inlined_places_;  // of this function: Position::inlined
  std::map<Inlining, std::uint32_t> inlinings_;          // index into Module::inlinings
  std::string_view opcode_;
  std::vector<PendingLabel> pending_;
  std::vector<std::string_view> modifiers_;  // scratch of parse_instruction
  std::vector<Operand> operands_;
  std::vector<PendingLabel> label_uses_;
  std::deque<std::string> names_;  // of ranges of variables: scopes_ has views of them
  std::uint64_t register_total_ = 0;
  unsigned depth_ = 0;
};

}  // namespace raddle::ptx
