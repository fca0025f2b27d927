// From an instruction's dotted words to the table row that admits them, and their meaning.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "isa/form.h"
#include "isa/introductions.h"
#include "isa/table.h"
#include "ptx/module.h"

namespace raddle::isa {

/// An instruction that PTX has and raddle does not carry out; what() says which and why. Kernels that
/// come to it are refused when they are launched (Function::unsupported), the others run.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// One operand of Row::operands, taken apart.
struct OperandSpec {
  enum class Role : std::uint8_t {
    destination,       // d
    predicates,        // p, p|q
    source,            // a b c e
    source_predicate,  // !c
    constant,          // #c
    address            // [a]
  } role = Role::source;
  enum class TypeKey : std::uint8_t { t1, t2, t3, wide, named } key = TypeKey::t1;
  Type named = Type::none;
  unsigned index = 0;         // source: of Instruction::s
  bool optional = false;      // the program may leave it out
  bool second = false;        // d|p, p|q: a second destination may follow a bar
  bool needs_second = false;  // d|p!: it must, and is no `_`
  bool may_be_sink = false;   // `_` may stand in place of the register

  Type type(const Form& form) const;
};

struct CompiledRow {
  const Row* row = nullptr;
  bool from_outside = false;  // of an Extension
  struct Group {
    bool optional = false;
    bool first = false;  // before all words of later groups, in whatever order these are
    std::vector<std::string_view> words;  // without the leading dot
  };
  std::vector<Group> groups;
  std::vector<OperandSpec> operands;
  std::size_t required = 0;   // of them: those which the program may not leave out
  Class klass = Class::move;  // of the row; of a mechanism's, the number handed out
  std::uint8_t unit = 0;      // Instruction::unit
  /// Why programs do not get it, for the reader of an error; "": they do.
  std::string refused;
};

struct Match {
  const CompiledRow* row = nullptr;
  Form form;
  Execute execute = nullptr;
  bool halved = false;  // one of the two accesses that a wide vector takes (lower/vector.h)
  Requirements requirements = {};  // of rows of the table
};

/// Rows from outside: of a mechanism (machine/mechanism.h).
struct Extension {
  std::span<const Row> rows;          // they live as long as the process
  Class first_class = Class::count_;  // the number of own_class(0)
  unsigned classes = 0;               // so many of its own
  std::uint8_t unit = 0;              // Instruction::unit of its rows of Kind::unit
  std::string refused;                // see CompiledRow
};

/// Rows taken apart and found by opcode.
class InstructionSet {
 public:
  /// The built-in families (isa/table.h).
  InstructionSet();
  void add(const Extension& extension);

  const std::vector<CompiledRow>& rows() const { return rows_; }
  /// Indices of those with this opcode, in the order of the table.
  std::span<const std::size_t> rows_of(std::string_view opcode) const;
  /// Row::effects of all of them together.
  std::uint8_t effects(std::string_view opcode) const;
  bool is_call(std::string_view opcode) const;
  /// Of one that is no instruction, which it may have meant; "" of one that is, also if it is not supported.
  std::string unknown(std::string_view opcode) const;

 private:
  void add(const Extension& extension, bool from_outside);

  std::vector<CompiledRow> rows_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_opcode_;
};

const InstructionSet& built_in_instructions();

/// The row for an instruction's opcode whose syntax admits exactly its modifiers; throws Unsupported,
/// or Error which says what is wrong with them (the caller adds file and line). Remembers its answers, so that
/// each thread needs its own.
class Matcher {
 public:
  explicit Matcher(const InstructionSet& set = built_in_instructions()) : set_(set) {}
  const Match& match(const ptx::Instruction& instruction);

  const InstructionSet& set() const { return set_; }
  const std::vector<CompiledRow>& rows() const { return set_.rows(); }

 private:
  [[noreturn]] void explain(const ptx::Instruction& instruction) const;
  const InstructionSet& set_;
  std::unordered_map<std::string, Match> answers_;
};

/// The type that is twice as wide: u32 for u16.
Type twice_as_wide(Type);

}  // namespace raddle::isa
