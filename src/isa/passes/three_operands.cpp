// Integer operations with three operands as in machine code: two sums become one instruction
// (IADD3), and so do two logical operations (LOP3), or one logical operation and a comparison of
// its result with zero (LOP3 with a predicate).
#include <fmt/core.h>

#include <optional>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/semantics/integer.h"
#include "isa/semantics/logic.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

// The columns of a LOP3 table, one for each operand (PTX ISA 9.7.8.6).
constexpr unsigned kFirst = 0xF0, kSecond = 0xCC, kThird = 0xAA;

bool is_32_bits(Type type) { return type == Type::b32 || type == Type::u32 || type == Type::s32; }

bool is_ordinary(const LirInstruction& lir) {
  return lir.row != nullptr && lir.out.kind == Kind::compute && lir.parts.empty() &&
         lir.effects == 0 && is_32_bits(lir.form.type);
}

bool is_sum(const LirInstruction& lir) {
  return is_ordinary(lir) && !lir.form.sat && !lir.form.carry_out &&
         (lir.opcode == "add" || lir.opcode == "sub");
}

bool is_logical(const LirInstruction& lir) {
  if (!is_ordinary(lir)) return false;
  const std::string_view name = lir.opcode;
  return name == "and" || name == "or" || name == "xor";
}

bool is_table(const LirInstruction& lir) {
  return is_ordinary(lir) && lir.opcode == "lop3" && lir.p == ptx::kNoId;
}

unsigned column(std::string_view name, unsigned a, unsigned b) {
  return name == "and" ? a & b : name == "or" ? a | b : a ^ b;
}

class Combining {
 public:
  explicit Combining(FunctionBody& body) : body_(body), uses_(body) {}

  std::string run() {
    std::vector<InstructionId> gone;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        const InstructionId joined = join(id, block);
        if (joined != kNoInstruction) gone.push_back(joined);
        uses_.step(id);
      }
    }
    for (const InstructionId id : gone) body_.erase(id);
    return fmt::format("{} sums of three, {} logical operations of three, {} tests of them", sums_,
                       logical_, tests_);
  }

 private:
  /// Joins another instruction into this one and returns the joined one; kNoInstruction: none.
  InstructionId join(InstructionId id, BlockId block) {
    const LirInstruction& lir = body_[id];
    const bool test = is_zero_test(lir);
    if (!test && !is_sum(lir) && !is_logical(lir)) return kNoInstruction;
    for (unsigned operand = 0; operand < (test ? 1 : 2); ++operand) {
      if (!lir.s[operand].is_register()) continue;
      const InstructionId made = uses_.maker(lir.s[operand].id, block);
      if (made == kNoInstruction) continue;
      std::optional<LirInstruction> whole = joined(body_[made], lir, operand, test);
      if (!whole) continue;
      whole->guard = lir.guard;
      whole->guard_negated = lir.guard_negated;
      body_.replace(id, std::move(*whole));
      return made;
    }
    return kNoInstruction;
  }

  /// `second` with `first`, which makes its operand `operand`, joined into it.
  std::optional<LirInstruction> joined(const LirInstruction& first, const LirInstruction& second,
                                       unsigned operand, bool test) {
    if (test) {
      if (is_logical(first) || is_table(first)) return test_of(first, second);
      return std::nullopt;
    }
    const Ref other = second.s[1 - operand];
    // Machine code has room for one constant, including constants from parameters.
    if (is_constant(first.s[0]) + is_constant(first.s[1]) + is_constant(other) > 1) {
      return std::nullopt;
    }
    if (is_sum(second) && is_sum(first)) return sum(first, second, operand);
    if (is_logical(second) && is_logical(first)) return table(first, second, other);
    return std::nullopt;
  }

  /// Whether it only compares with zero for (in)equality.
  bool is_zero_test(const LirInstruction& lir) const {
    if (!is_ordinary(lir) || lir.opcode != "setp" || lir.q != ptx::kNoId) return false;
    if (lir.form.operation != Operation::none || lir.source_predicate != ptx::kNoId) return false;
    if (lir.form.compare != Compare::eq && lir.form.compare != Compare::ne) return false;
    return body_.constant_value(lir.s[1]) == std::uint64_t{0};
  }

  /// Zero is a register in machine code.
  bool is_constant(const Ref& ref) const {
    if (ref.kind == Ref::Kind::constant) return body_.constant_value(ref) != std::uint64_t{0};
    return ref.is_register() && body_.in_constant_bank(ref.id);
  }

  LirInstruction sum(const LirInstruction& first, const LirInstruction& second, unsigned operand) {
    LirInstruction whole = bare(sum_of_three(), Kind::compute, Class::int_add, second.from);
    const bool subtracts = second.opcode == "sub";
    const bool flipped = subtracts && operand == 1;
    const unsigned inner = first.opcode == "sub" ? 2 : 0;
    whole.out.immediate = (flipped ? inner ^ 3 : inner) | (subtracts && operand == 0 ? 4 : 0);
    whole.d = second.d;
    whole.s = {first.s[0], first.s[1], second.s[1 - operand], Ref{}};
    ++sums_;
    return whole;
  }

  LirInstruction test_of(const LirInstruction& first, const LirInstruction& second) {
    const bool zero = second.form.compare == Compare::eq;
    LirInstruction whole =
        bare(select_lop3_test(zero), Kind::compute, Class::int_logic, second.from);
    whole.s = first.s;
    whole.out.immediate = first.out.immediate;
    if (is_logical(first)) {
      whole.s[2] = body_.constant(0, 4);
      whole.out.immediate = column(first.opcode, kFirst, kSecond);
    }
    whole.p = second.p;
    ++tests_;
    return whole;
  }

  LirInstruction table(const LirInstruction& first, const LirInstruction& second,
                       const Ref& other) {
    LirInstruction whole = body_.make("lop3", {"b32"}, second);
    const unsigned inner = column(first.opcode, kFirst, kSecond);
    whole.out.immediate = column(second.opcode, inner, kThird);
    whole.d = second.d;
    whole.s = {first.s[0], first.s[1], other, Ref{}};
    ++logical_;
    return whole;
  }

  FunctionBody& body_;
  OnlyUses uses_;
  unsigned sums_ = 0, logical_ = 0, tests_ = 0;
};

class ThreeOperands : public Pass {
 public:
  explicit ThreeOperands(const PassTarget& target) : known_(target.compute_major >= 5) {}
  const char* name() const override { return "three_operands"; }
  const char* meaning() const override {
    return "add three integers in one instruction, or combine three words bit by bit, or combine "
           "two "
           "and test the result for zero; on compute capability 5.0 and later, which can";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    if (known_) notes.push_back(Combining(body).run());
  }

 private:
  bool known_;
};

}  // namespace

std::shared_ptr<const Pass> three_operands(const PassTarget& target) {
  return std::make_shared<ThreeOperands>(target);
}

}  // namespace raddle::isa
