// Constants that are added to a register to make an address move into the access itself, which has
// room for 24 bits of them.
#include <fmt/core.h>

#include "isa/passes/alignment.h"
#include "isa/passes/built_in.h"
#include "isa/passes/known_values.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// Immediate offsets of loads and stores in machine code: 24 bits, signed.
constexpr std::int64_t kFarthest = (1 << 23) - 1;

bool has_offset(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.out.kind != Kind::memory || !lir.s[0].is_register()) return false;
  const std::string_view name = lir.opcode;
  return name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
}

class Folding {
 public:
  explicit Folding(FunctionBody& body) : body_(body), sums_(body) {}

  unsigned run() {
    for (const BlockId block : body_.blocks()) {
      sums_.begin_block();
      for (const InstructionId id : body_.instructions(block)) {
        if (has_offset(body_[id])) fold(body_.change(id));
        sums_.step(body_[id], offset_of(body_, body_[id]));
      }
    }
    return folded_;
  }

 private:
  /// The register as a sum at this place, if the sum's base still holds the value that was added
  /// to.
  std::optional<Offset> sum_of(std::uint32_t reg) const {
    return sums_.find(reg, [&](const LirInstruction& lir) { return offset_of(body_, lir); });
  }

  void fold(LirInstruction& lir) {
    for (int steps = 0; steps < 64; ++steps) {
      const auto sum = sum_of(lir.s[0].id);
      if (!sum) return;
      const std::int64_t whole = lir.out.immediate + static_cast<std::int64_t>(sum->offset);
      if (whole > kFarthest || whole < -kFarthest) return;
      if (body_.register_bytes(sum->base.id) != body_.register_bytes(lir.s[0].id)) return;
      lir.out.immediate = whole;
      lir.s[0] = sum->base;
      ++folded_;
    }
  }

  FunctionBody& body_;
  KnownValues<Offset> sums_;
  unsigned folded_ = 0;
};

/// Compilers write x | c instead of x + c where the bits of c are zero in x.
unsigned ors_to_sums(FunctionBody& body) {
  const Alignment alignment(body);
  unsigned changed = 0;
  for (const BlockId block : body.blocks()) {
    for (const InstructionId id : body.instructions(block)) {
      const LirInstruction& lir = body[id];
      if (lir.row == nullptr || lir.opcode != "or" || lir.out.kind != Kind::compute) continue;
      const unsigned bits = ptx::bits(lir.form.type);
      const auto added = body.constant_value(lir.s[1]);
      if ((bits != 32 && bits != 64) || !lir.s[0].is_register() || !added) continue;
      if (*added >> alignment.zeros(lir.s[0]) != 0) continue;
      LirInstruction sum = body.make("add", {bits == 32 ? "u32" : "u64"}, lir);
      sum.guard = lir.guard;
      sum.guard_negated = lir.guard_negated;
      sum.d = lir.d;
      sum.s = lir.s;
      body.replace(id, std::move(sum));
      ++changed;
    }
  }
  return changed;
}

class AddressOffsets : public Pass {
 public:
  const char* name() const override { return "addresses"; }
  const char* meaning() const override {
    return "put constants that are added to addresses into loads, stores and atomics";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const unsigned sums = ors_to_sums(body);
    notes.push_back(fmt::format("{} sums folded into addresses, {} of bits that do not meet",
                                Folding(body).run(), sums));
  }
};

}  // namespace

std::shared_ptr<const Pass> address_offsets() { return std::make_shared<AddressOffsets>(); }

}  // namespace raddle::isa
