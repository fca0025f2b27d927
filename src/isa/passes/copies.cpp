// Copy propagation: readers of a copy read its source instead (also constants, one for each
// instruction, as in machine code). A value that is computed only to be copied is computed directly
// into the copy's destination. Readers of a negated predicate read the original.
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/constant_operands.h"
#include "isa/passes/known_values.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// Calls f(Ref&) for each register or constant that the instruction reads.
template <class F>
void for_each_source(LirInstruction& lir, F f) {
  if (lir.reads_d) f(lir.d);
  for (unsigned n = 0; n < 4; ++n) {
    if (!lir.writes_s[n]) f(lir.s[n]);
  }
  for (std::size_t n = lir.list_writes; n < lir.list.size(); ++n) f(lir.list[n]);
}

struct PredicateSource {
  std::uint32_t from = ptx::kNoId;
  bool negated = false;
};

/// The source of mov, of not, and of xor with true: p = source, or its opposite.
std::optional<PredicateSource> predicate_copy(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.conditional() || lir.p == ptx::kNoId) return std::nullopt;
  if (lir.form.type != Type::pred) return std::nullopt;
  if (lir.opcode == "mov" && lir.source_predicate != ptx::kNoId) {
    return PredicateSource{lir.source_predicate, lir.source_negated};
  }
  if (lir.opcode == "not" && lir.predicate_source != ptx::kNoId) {
    return PredicateSource{lir.predicate_source, !lir.predicate_negated};
  }
  if (lir.opcode == "xor" && lir.predicate_source != ptx::kNoId &&
      lir.source_predicate == ptx::kNoId) {
    // The second operand is a constant: true unless it is negated.
    return PredicateSource{lir.predicate_source, lir.predicate_negated != !lir.source_negated};
  }
  return std::nullopt;
}

/// One walk over the function.
class Propagation {
 public:
  explicit Propagation(FunctionBody& body) : body_(body), copies_(body) {}

  unsigned run() {
    for (const BlockId block : body_.blocks()) {
      copies_.begin_block();
      for (const InstructionId id : body_.instructions(block)) visit(id);
    }
    return replaced_;
  }

 private:
  void visit(InstructionId id) {
    LirInstruction& lir = body_.change(id);
    for_each_source(lir, [&](Ref& ref) { replace(lir, ref); });
    replace(lir.guard, lir.guard_negated);
    replace(lir.source_predicate, lir.source_negated);
    replace(lir.predicate_source, lir.predicate_negated);
    copies_.step(lir, copied(lir));
  }

  /// The register or constant that an unconditional move copies as a whole.
  std::optional<Ref> copied(const LirInstruction& lir) const {
    if (const auto step = offset_of(body_, lir)) {
      if (step->offset == 0) return step->base;
      return std::nullopt;
    }
    const auto constant = copied_constant(body_, lir);
    return constant && body_.register_bytes(lir.d.id) >= 4 ? constant : std::nullopt;
  }

  /// The source of which the register is a copy here.
  std::optional<Ref> source_of(std::uint32_t reg) const {
    return copies_.find(reg, [&](const LirInstruction& lir) { return copied(lir); });
  }

  static bool takes_constant(const LirInstruction& lir) {
    if (lir.out.kind != Kind::compute || lir.row == nullptr || !lir.list.empty()) return false;
    return std::none_of(lir.s.begin(), lir.s.end(),
                        [](const Ref& ref) { return ref.kind == Ref::Kind::constant; });
  }

  void replace(const LirInstruction& lir, Ref& ref) {
    for (int steps = 0; steps < 64 && ref.is_register(); ++steps) {
      const auto from = source_of(ref.id);
      if (!from || (!from->is_register() && !takes_constant(lir))) return;
      ref = *from;
      ++replaced_;
    }
  }

  void replace(std::uint32_t& predicate, bool& negated) {
    for (int steps = 0; steps < 64 && predicate != ptx::kNoId; ++steps) {
      const InstructionId single = copies_.definitions().single(predicate);
      if (single == kNoInstruction) return;
      const auto from = predicate_copy(body_[single]);
      if (!from || copies_.definitions().single(from->from) == kNoInstruction) return;
      predicate = from->from;
      negated = negated != from->negated;
      ++replaced_;
    }
  }

  FunctionBody& body_;
  KnownValues<Ref> copies_;
  unsigned replaced_ = 0;
};

/// s = ...; d = s becomes d = ..., where all readers of s could read d.
class Coalescing {
 public:
  explicit Coalescing(FunctionBody& body)
      : body_(body), definitions_(body), joined_(body.register_count(), false) {}

  unsigned run() {
    std::vector<InstructionId> gone;
    for (const BlockId block : body_.blocks()) {
      const auto& inside = body_.instructions(block);
      for (std::size_t n = 0; n < inside.size(); ++n) {
        if (try_copy(inside, n)) gone.push_back(inside[n]);
      }
    }
    for (const InstructionId id : gone) body_.erase(id);
    return static_cast<unsigned>(gone.size());
  }

 private:
  /// How far from a copy the pass looks for the definition of its source and for other readers of
  /// that.
  static constexpr std::size_t kReach = 64;

  /// Number of operands that can be renamed; a large number if they cannot.
  static unsigned reads(const LirInstruction& lir, std::uint32_t reg) {
    unsigned count = 0;
    lir.for_each_read([&](std::uint32_t id) { count += id == reg; });
    return lir.parts.empty() ? count : 1000 * count;
  }

  bool try_copy(const std::vector<InstructionId>& inside, std::size_t at) {
    const auto step = offset_of(body_, body_[inside[at]]);
    if (!step || step->offset != 0) return false;
    const std::uint32_t from = step->base.id, to = body_[inside[at]].d.id;
    if (from == to) return false;
    const InstructionId made = definitions_.single(from);
    if (made == kNoInstruction || !can_rename(body_[made], from, to)) return false;
    unsigned readers = 1;
    std::size_t n = at;
    for (; inside[n] != made; --n) {
      if (n != at && (reads(body_[inside[n]], to) != 0 || body_[inside[n]].writes(to))) {
        return false;
      }
      if (n != at) readers += reads(body_[inside[n]], from);
      if (n == 0 || at - n == kReach) return false;
    }
    const std::size_t first = n + 1;
    std::size_t end = at + 1;
    for (; end < inside.size() && end - at < kReach; ++end) {
      readers += reads(body_[inside[end]], from);
      if (body_[inside[end]].writes(to)) {
        ++end;
        break;
      }
    }
    if (readers != definitions_.reads(from)) return false;
    body_.change(made).d = Ref::reg(to);
    for (std::size_t m = first; m < end; ++m) {
      if (m == at) continue;
      for_each_source(body_.change(inside[m]), [&](Ref& ref) {
        if (ref == Ref::reg(from)) ref = Ref::reg(to);
      });
    }
    // Both differ from what Definitions found.
    joined_[from] = joined_[to] = true;
    return true;
  }

  bool can_rename(const LirInstruction& made, std::uint32_t from, std::uint32_t to) const {
    for (const std::uint32_t reg : {from, to}) {
      if (joined_[reg]) return false;
    }
    const bool plain = made.parts.empty() && made.list.empty() && !made.reads_d;
    if (!plain || made.conditional() || made.d != Ref::reg(from)) return false;
    unsigned count = 0;
    made.for_each_write([&](std::uint32_t reg) { count += reg == from || reg == to; });
    return count == 1;
  }

  FunctionBody& body_;
  Definitions definitions_;
  std::vector<bool> joined_;  // [register] named by a removed copy
};

class Copies : public Pass {
 public:
  const char* name() const override { return "copies"; }
  const char* meaning() const override {
    return "read what was copied instead of copies, constants and negated predicates too";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    unsigned joined = Coalescing(body).run();
    const unsigned replaced = Propagation(body).run();
    joined += Coalescing(body).run();
    notes.push_back(fmt::format("{} operands replaced, {} copies joined with what they copy",
                                replaced, joined));
  }
};

}  // namespace

std::shared_ptr<const Pass> copy_propagation() { return std::make_shared<Copies>(); }

}  // namespace raddle::isa
