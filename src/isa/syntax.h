// From the dotted words of an instruction to the table row that admits them, and to their meaning.
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

/// An instruction that PTX has and raddle does not support; what() says which and why. Launching a
/// kernel that reaches it is refused (Function::unsupported); other kernels run.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// One operand of Row::operands, after parsing.
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
  unsigned index = 0;         // source: index in Instruction::s
  bool optional = false;      // the program may leave it out
  bool second = false;        // d|p, p|q: a second destination may follow a bar
  bool needs_second = false;  // d|p!: it must follow, and may not be `_`
  bool may_be_sink = false;   // `_` may replace the register

  Type type(const Form& form) const;
};

struct CompiledRow {
  const Row* row = nullptr;
  bool from_outside = false;  // the row comes from an Extension
  struct Group {
    bool optional = false;
    bool first = false;  // stands before all words of later groups, whatever their order
    std::vector<std::string_view> words;  // without the leading dot
  };
  std::vector<Group> groups;
  std::vector<OperandSpec> operands;
  std::size_t required = 0;   // number of operands that the program must write
  Class klass = Class::move;  // class of the row; for a mechanism's row, the assigned number
  std::uint8_t unit = 0;      // Instruction::unit
  /// Why programs cannot use the row, for error messages; "": they can.
  std::string refused;
};

struct Match {
  const CompiledRow* row = nullptr;
  Form form;
  Execute execute = nullptr;
  bool halved = false;             // one of the two accesses of a wide vector (lower/vector.h)
  Requirements requirements = {};  // for rows of the table
};

/// Rows that a mechanism adds (machine/mechanism.h).
struct Extension {
  std::span<const Row> rows;          // they live as long as the process
  Class first_class = Class::count_;  // the number for own_class(0)
  unsigned classes = 0;               // number of own classes
  std::uint8_t unit = 0;              // Instruction::unit of its rows of Kind::unit
  std::string refused;                // see CompiledRow
};

/// Parsed rows, found by opcode.
class InstructionSet {
 public:
  /// The built-in families (isa/table.h).
  InstructionSet();
  void add(const Extension& extension);

  const std::vector<CompiledRow>& rows() const { return rows_; }
  /// Indices of the rows with this opcode, in the order of the table.
  std::span<const std::size_t> rows_of(std::string_view opcode) const;
  /// Row::effects of all rows with this opcode, combined.
  std::uint8_t effects(std::string_view opcode) const;
  bool is_call(std::string_view opcode) const;
  /// For a word that is no opcode: the opcode that it probably means. "" for an opcode, also for an
  /// unsupported one.
  std::string unknown(std::string_view opcode) const;

 private:
  void add(const Extension& extension, bool from_outside);

  std::vector<CompiledRow> rows_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_opcode_;
};

const InstructionSet& built_in_instructions();

/// Finds the row for an instruction's opcode whose syntax admits exactly its modifiers. Throws
/// Unsupported, or Error which says what is wrong with the modifiers (the caller adds file and
/// line). Remembers its answers, so each thread needs its own Matcher.
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
