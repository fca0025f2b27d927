// Signs, magnitudes and saturation as in machine code: bits of an operand of the instruction that
// uses the value (FADD R0, -R1, |R2|), or of the instruction that makes it (FFMA.SAT).
#include <fmt/core.h>

#include <optional>
#include <vector>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/semantics/float_signs.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool is_ordinary(const LirInstruction& lir) {
  return lir.row != nullptr && lir.out.kind == Kind::compute && lir.parts.empty() &&
         lir.effects == 0 && (lir.form.type == Type::f32 || lir.form.type == Type::f64);
}

bool changes_sign(const LirInstruction& lir) {
  return is_ordinary(lir) && (lir.opcode == "neg" || lir.opcode == "abs") &&
         lir.guard == ptx::kNoId && lir.s[0].is_register();
}

/// cvt.sat.f32.f32
bool saturates(const LirInstruction& lir) {
  return is_ordinary(lir) && lir.opcode == "cvt" && lir.form.sat && lir.form.type == Type::f32 &&
         lir.form.type2 == Type::f32 && lir.form.rounding == Rounding::none &&
         lir.s[0].is_register();
}

bool is_arithmetic(std::string_view name) {
  return name == "add" || name == "sub" || name == "mul" || name == "fma" || name == "mad";
}

/// Whether its operands can have signs and magnitudes. Operands of half precision are another type
/// (type2), and so are PTX's forms with three inputs.
bool takes_signs(const LirInstruction& lir) {
  if (!is_ordinary(lir) || lir.form.type2 != Type::none) return false;
  if (lir.opcode == "setp" && (lir.q != ptx::kNoId || lir.source_predicate != ptx::kNoId)) {
    return false;
  }
  const bool three = lir.opcode == "fma" || lir.opcode == "mad";
  if (!three && lir.s[2].kind != Ref::Kind::none) return false;
  return select_with_signs(lir.opcode, lir.form) != nullptr;
}

class Folding {
 public:
  explicit Folding(FunctionBody& body) : body_(body), uses_(body) {}

  std::string run() {
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        if (saturates(body_[id])) saturate(id, block);
        if (takes_signs(body_[id])) take_signs(id, block);
        uses_.step(id);
      }
    }
    for (const InstructionId id : gone_) body_.erase(id);
    while (signs_ != 0 && remove_unread()) {
    }
    return fmt::format(
        "{} signs and magnitudes of operands, {} results saturated where they are made", signs_,
        saturated_);
  }

 private:
  void saturate(InstructionId id, BlockId block) {
    const LirInstruction lir = body_[id];
    const InstructionId made = uses_.maker(lir.s[0].id, block);
    if (made == kNoInstruction) return;
    LirInstruction whole = body_[made];
    if (!is_ordinary(whole) || !is_arithmetic(whole.opcode) || whole.form.type != Type::f32 ||
        whole.form.type2 != Type::none || whole.guard != ptx::kNoId ||
        (lir.form.ftz && !whole.form.ftz)) {
      return;
    }
    whole.form.sat = true;
    whole.out.execute = select_with_signs(whole.opcode, whole.form);
    whole.out.immediate = 0;
    whole.d = lir.d;
    whole.guard = lir.guard;
    whole.guard_negated = lir.guard_negated;
    body_.replace(id, std::move(whole));
    gone_.push_back(made);
    ++saturated_;
  }

  /// The operand behind its signs and magnitudes, outermost first, as far as it can be read at the
  /// place of `user`.
  Ref behind_signs(Ref operand, unsigned n, const LirInstruction& user, BlockId block,
                   std::uint64_t& bits) {
    while (operand.is_register()) {
      const InstructionId made = uses_.maker_of_several(operand.id, block);
      if (made == kNoInstruction || !changes_sign(body_[made])) break;
      const LirInstruction& sign = body_[made];
      if (sign.form.type != user.form.type || (sign.form.ftz && !user.form.ftz)) break;
      if (sign.opcode == "abs") {
        bits |= absolute_operand(n);
      } else if ((bits & absolute_operand(n)) == 0) {
        bits ^= negated_operand(n);
      }
      operand = sign.s[0];
      ++signs_;
    }
    return operand;
  }

  void take_signs(InstructionId id, BlockId block) {
    LirInstruction lir = body_[id];
    std::uint64_t bits = 0;
    const auto before = lir.s;
    for (unsigned n = 0; n < 3; ++n) lir.s[n] = behind_signs(lir.s[n], n, lir, block, bits);
    if (lir.s == before) return;
    lir.out.execute = select_with_signs(lir.opcode, lir.form);
    lir.out.immediate = static_cast<std::int64_t>(bits);
    lir.row = nullptr;  // the row's description of the operands does not hold any more
    lir.opcode = "";
    body_.replace(id, std::move(lir));
  }

  /// Removes sign and magnitude instructions whose readers all have them as bits. Returns whether
  /// there were any.
  bool remove_unread() {
    const Definitions definitions(body_);
    std::vector<InstructionId> unread;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        if (changes_sign(body_[id]) && definitions.reads(body_[id].d.id) == 0) unread.push_back(id);
      }
    }
    for (const InstructionId id : unread) body_.erase(id);
    return !unread.empty();
  }

  FunctionBody& body_;
  OnlyUses uses_;
  std::vector<InstructionId> gone_;
  unsigned signs_ = 0, saturated_ = 0;
};

class OperandSigns : public Pass {
 public:
  const char* name() const override { return "operand_signs"; }
  const char* meaning() const override {
    return "neg and abs of floats become bits of the operand that reads them, cvt.sat a bit of the "
           "instruction that makes the value, as in machine code";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    notes.push_back(Folding(body).run());
  }
};

}  // namespace

std::shared_ptr<const Pass> operand_signs() { return std::make_shared<OperandSigns>(); }

}  // namespace raddle::isa
