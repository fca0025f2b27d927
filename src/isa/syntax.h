// From an instruction's dotted words to the table row that admits them, and their meaning.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/form.h"
#include "isa/table.h"
#include "ptx/module.h"

namespace raddle::isa {

/// One operand of Row::operands, taken apart.
struct OperandSpec {
  enum class Role : std::uint8_t {
    destination,       // d
    predicates,        // p, p|q
    source,            // a b c e
    source_predicate,  // !c
    constant,          // #c
    address,           // [a]
    other              // of the control-flow rows: `name` tells
  } role = Role::other;
  enum class TypeKey : std::uint8_t { t1, t2, t3, wide, named } key = TypeKey::t1;
  Type named = Type::none;
  unsigned index = 0;     // source: of Instruction::s
  bool optional = false;  // the program may leave it out
  std::string_view name;

  Type type(const Form& form) const;
};

struct CompiledRow {
  const Row* row = nullptr;
  struct Group {
    bool optional = false;
    std::vector<std::string_view> words;  // without the leading dot
  };
  std::vector<Group> groups;
  std::vector<OperandSpec> operands;
};

struct Match {
  const CompiledRow* row = nullptr;
  Form form;
  Execute execute = nullptr;
};

/// The row for `opcode` whose syntax admits exactly `modifiers`; throws Error which says what is
/// wrong with them (the caller adds file and line). Not thread-safe: remembers its answers.
class Matcher {
 public:
  Matcher();
  const Match& match(const ptx::Instruction& instruction);

  const std::vector<CompiledRow>& rows() const { return rows_; }

 private:
  [[noreturn]] void explain(const ptx::Instruction& instruction) const;
  std::vector<CompiledRow> rows_;
  struct Index;
  std::shared_ptr<Index> index_;
};

/// The type that is twice as wide: u32 for u16.
Type twice_as_wide(Type);

}  // namespace raddle::isa
