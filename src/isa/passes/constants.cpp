// Constant folding and propagation. Results of constants become constants, and guards and branches
// that constants decide disappear. Sums, products and logical operations with a neutral constant
// become copies. Compilers leave this to the assembler where a constant appears late: after
// unrolling, after inlining, or from approximations of constants. The pass carries out instructions
// by their own semantics; which of them assemblers compute was tried with ptxas 11.8
// (docs/machine_code.md). (S. Muchnick, Advanced Compiler Design and Implementation, 12.1 and
// 12.6.)
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "isa/passes/built_in.h"
#include "isa/passes/constant_evaluation.h"
#include "isa/passes/constant_operands.h"
#include "isa/passes/known_values.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// The value of a register as a constant, which does not depend on any register.
struct Constant {
  Ref ref;
};
std::uint32_t register_of(const Constant&) { return ptx::kNoId; }

std::optional<Constant> constant_of(const FunctionBody& body, const LirInstruction& lir) {
  if (const auto ref = copied_constant(body, lir)) return Constant{*ref};
  return std::nullopt;
}

/// One walk over the function.
class ConstantFolding {
 public:
  explicit ConstantFolding(FunctionBody& body)
      : body_(body), known_(body), predicates_(body.register_count(), Truth::unknown) {}

  struct Counts {
    unsigned computed = 0, simplified = 0, decided = 0, branches = 0;
  };

  Counts run() {
    for (const BlockId block : body_.blocks()) {
      known_.begin_block();
      for (const InstructionId id : body_.instructions(block)) visit(id);
    }
    for (const InstructionId id : gone_) body_.erase(id);
    return counts_;
  }

 private:
  enum class Truth : std::uint8_t { unknown, no, yes };

  void visit(InstructionId id) {
    if (body_[id].guard != ptx::kNoId && decide_guard(id)) return;
    decide_source(id);
    if (is_computed_of_constants(body_[id])) {
      if (!compute(id)) simplify(id);
    }
    known_.step(body_[id], constant_of(body_, body_[id]));
  }

  std::optional<bool> truth(std::uint32_t predicate, bool negated) const {
    const Truth known = predicates_[predicate];
    if (known == Truth::unknown) return std::nullopt;
    return (known == Truth::yes) != negated;
  }

  /// Whether the guard decides that the instruction never runs, or that a branch is always taken.
  bool decide_guard(InstructionId id) {
    const LirInstruction& lir = body_[id];
    const auto runs = truth(lir.guard, lir.guard_negated);
    const bool branch = lir.out.kind == Kind::branch && lir.row != nullptr && !lir.indexed;
    const bool plain = lir.out.kind == Kind::compute || lir.out.kind == Kind::memory;
    if (!runs || !(branch || plain)) return false;
    ++counts_.decided;
    counts_.branches += branch ? 1 : 0;
    if (!*runs) {
      gone_.push_back(id);
      return true;
    }
    if (branch) {
      LirInstruction always = body_.make_branch(lir.targets.at(0), ptx::kNoId, false, lir);
      body_.replace(id, std::move(always));
      return true;
    }
    body_.change(id).guard = ptx::kNoId;
    body_.change(id).guard_negated = false;
    return false;
  }

  /// Replaces a known source predicate by its constant.
  void decide_source(InstructionId id) {
    const LirInstruction& lir = body_[id];
    if (lir.source_predicate == ptx::kNoId) return;
    const auto known = truth(lir.source_predicate, lir.source_negated);
    if (!known) return;
    LirInstruction& decided = body_.change(id);
    decided.source_predicate = ptx::kNoId;
    decided.source_negated = !*known;
  }

  std::optional<std::uint64_t> value(const Ref& ref) const {
    if (!ref.is_register()) return body_.constant_value(ref);
    const auto known =
        known_.find(ref.id, [&](const LirInstruction& lir) { return constant_of(body_, lir); });
    return known ? body_.constant_value(known->ref) : std::nullopt;
  }

  /// The operands, if there are any and all are constant.
  std::optional<ConstantOperands> operands_of(const LirInstruction& lir) const {
    ConstantOperands operands;
    if (lir.source_predicate != ptx::kNoId) return std::nullopt;
    operands.source_predicate = !lir.source_negated;
    bool any = false;
    if (lir.form.type == Type::pred) {
      const Ref& named = lir.s[lir.predicate_slot];
      if (lir.predicate_source != ptx::kNoId) {
        const auto known = truth(lir.predicate_source, lir.predicate_negated);
        if (!known) return std::nullopt;
        operands.predicate_source = *known;
      } else if (named.kind == Ref::Kind::constant) {
        operands.predicate_source = (named.id & kConstantBit) == 0;
      }
      return operands;
    }
    for (unsigned n = 0; n < 4; ++n) {
      if (lir.s[n].kind == Ref::Kind::none) continue;
      const auto known = value(lir.s[n]);
      if (!known) return std::nullopt;
      operands.s[n] = *known;
      any = true;
    }
    return any ? std::optional(operands) : std::nullopt;
  }

  bool compute(InstructionId id) {
    const LirInstruction& lir = body_[id];
    if (copied_constant(body_, lir)) return true;
    const auto operands = operands_of(lir);
    if (!operands) return false;
    const bool predicate = lir.p != ptx::kNoId || lir.q != ptx::kNoId;
    if (predicate == lir.d.is_register()) return false;  // neither, or both
    const ConstantResults results = compute_of_constants(lir, *operands);
    if (predicate) {
      note(lir.p, id, results.p);
      note(lir.q, id, results.q);
      return true;
    }
    const unsigned bytes = body_.register_bytes(lir.d.id);
    if (bytes != 2 && bytes != 4 && bytes != 8) return false;
    LirInstruction move = move_of(body_, lir, body_.constant(results.d, bytes));
    body_.replace(id, std::move(move));
    ++counts_.computed;
    return true;
  }

  void note(std::uint32_t predicate, InstructionId id, bool value) {
    if (predicate == ptx::kNoId || known_.definitions().single(predicate) != id) return;
    predicates_[predicate] = value ? Truth::yes : Truth::no;
  }

  void simplify(InstructionId id) {
    const LirInstruction& lir = body_[id];
    KnownOperands known;
    for (unsigned n = 0; n < 3; ++n) {
      if (lir.s[n].kind != Ref::Kind::none && lir.form.type != Type::pred) {
        known[n] = value(lir.s[n]);
      }
    }
    auto simpler = without_neutral(body_, lir, known);
    if (!simpler) return;
    body_.replace(id, std::move(*simpler));
    ++counts_.simplified;
  }

  FunctionBody& body_;
  KnownValues<Constant> known_;
  std::vector<Truth> predicates_;  // [register], for those with one definition
  std::vector<InstructionId> gone_;
  Counts counts_;
};

class Constants : public Pass {
 public:
  const char* name() const override { return "constants"; }
  const char* meaning() const override {
    return "compute what follows from constants, remove guards and branches that they decide and "
           "operations with constants that change nothing, join operations with two constants";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    // Removing a branch also removes definitions, so more values may be constant in the next round.
    constexpr unsigned kRounds = 4;
    ConstantFolding::Counts all;
    std::size_t unreachable = 0;
    for (unsigned round = 0, branches = 1; round < kRounds && branches != 0; ++round) {
      const ConstantFolding::Counts counts = ConstantFolding(body).run();
      all.computed += counts.computed;
      all.simplified += counts.simplified;
      all.decided += counts.decided;
      branches = counts.branches;
      if (branches != 0) unreachable += body.drop_unreachable();
    }
    notes.push_back(fmt::format(
        "{} instructions computed, {} simplified, {} joined, {} guards decided, {} instructions "
        "unreachable",
        all.computed, all.simplified, join_constants(body), all.decided, unreachable));
  }
};

}  // namespace

std::shared_ptr<const Pass> constant_folding() { return std::make_shared<Constants>(); }

}  // namespace raddle::isa
