// Comparisons whose result is only used in a logical operation with another predicate do that
// operation themselves, as in machine code (ISETP.AND).
#include <fmt/core.h>

#include <iterator>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// In the order of Compare.
constexpr std::string_view kComparisons[] = {"",    "eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                             "lo",  "ls",  "hi",  "hs",  "equ", "neu", "ltu",
                                             "leu", "gtu", "geu", "num", "nan"};
static_assert(std::size(kComparisons) == static_cast<std::size_t>(Compare::nan) + 1);

bool is_comparison(const LirInstruction& lir) {
  return lir.row != nullptr && lir.opcode == "setp" && lir.q == ptx::kNoId &&
         lir.form.operation == Operation::none && lir.source_predicate == ptx::kNoId &&
         lir.form.compare != Compare::none && lir.parts.empty();
}

/// "and", "or", "xor" of two predicates; "": another operation.
std::string_view operation(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.form.type != Type::pred || lir.p == ptx::kNoId) return "";
  if (lir.predicate_source == ptx::kNoId || lir.source_predicate == ptx::kNoId) return "";
  const std::string_view name = lir.opcode;
  return name == "and" || name == "or" || name == "xor" ? name : "";
}

class Folding {
 public:
  explicit Folding(FunctionBody& body) : body_(body), uses_(body) {}

  unsigned run() {
    std::vector<InstructionId> gone;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        const InstructionId folded = fold(id, block);
        if (folded != kNoInstruction) gone.push_back(folded);
        uses_.step(id);
      }
    }
    for (const InstructionId id : gone) body_.erase(id);
    return static_cast<unsigned>(gone.size());
  }

 private:
  struct Half {
    std::uint32_t predicate;
    bool negated;
  };

  InstructionId fold(InstructionId id, BlockId block) {
    const LirInstruction& lir = body_[id];
    const std::string_view name = operation(lir);
    if (name.empty()) return kNoInstruction;
    const Half first = {lir.predicate_source, lir.predicate_negated},
               second = {lir.source_predicate, lir.source_negated};
    for (const auto& [compared, other] : {std::pair(second, first), std::pair(first, second)}) {
      // The opposite of a comparison is another comparison, which not all types have.
      if (compared.negated || compared.predicate == other.predicate) continue;
      const InstructionId made = uses_.maker(compared.predicate, block);
      if (made == kNoInstruction || !is_comparison(body_[made])) continue;
      body_.replace(id, compare(body_[made], lir, name, other));
      return made;
    }
    return kNoInstruction;
  }

  LirInstruction compare(const LirInstruction& comparison, const LirInstruction& logical,
                         std::string_view name, const Half& other) {
    const std::string_view how = kComparisons[static_cast<std::size_t>(comparison.form.compare)];
    const std::string_view type = ptx::name(comparison.form.type);
    LirInstruction whole = comparison.form.ftz
                               ? body_.make("setp", {how, name, "ftz", type}, logical)
                               : body_.make("setp", {how, name, type}, logical);
    whole.p = logical.p;
    whole.guard = logical.guard;
    whole.guard_negated = logical.guard_negated;
    whole.s[0] = comparison.s[0];
    whole.s[1] = comparison.s[1];
    whole.source_predicate = other.predicate;
    whole.source_negated = other.negated;
    return whole;
  }

  FunctionBody& body_;
  OnlyUses uses_;
};

class Predicates : public Pass {
 public:
  const char* name() const override { return "predicates"; }
  const char* meaning() const override {
    return "compare and combine with another predicate in one instruction";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    notes.push_back(fmt::format("{} comparisons folded", Folding(body).run()));
  }
};

}  // namespace

std::shared_ptr<const Pass> predicate_folding() { return std::make_shared<Predicates>(); }

}  // namespace raddle::isa
