#include "isa/passes/alignment.h"

#include <algorithm>
#include <bit>

#include "isa/passes/definitions.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {
constexpr unsigned kMost = 31;
}

unsigned Alignment::zeros(const Ref& ref) const {
  if (ref.is_register()) return zeros_[ref.id];
  const auto value = body_.constant_value(ref);
  if (!value) return 0;
  return std::min(static_cast<unsigned>(std::countr_zero(*value)), kMost);
}

unsigned Alignment::zeros_made(const LirInstruction& lir) const {
  if (lir.out.kind != Kind::compute || lir.row == nullptr || !lir.parts.empty()) return 0;
  if (lir.form.sat || lir.form.carry_out || lir.effects != 0 || lir.form.vector != 1) return 0;
  const std::string_view name = lir.opcode;
  const unsigned a = zeros(lir.s[0]);
  const auto sum = [](unsigned x, unsigned y) { return std::min(x + y, kMost); };
  if (name == "mov" || name == "cvta") {
    return lir.s[0].kind != Ref::Kind::none && lir.s[1].kind == Ref::Kind::none &&
                   (name == "mov" || lir.form.space == Space::global)
               ? a
               : 0;
  }
  if (name == "cvt") {
    const bool integers = !ptx::is_float(lir.form.type) && !ptx::is_float(lir.form.type2);
    return integers ? a : 0;
  }
  if (name == "shl") {
    const auto by = body_.constant_value(lir.s[1]);
    return by ? sum(a, static_cast<unsigned>(std::min<std::uint64_t>(*by, kMost))) : a;
  }
  if (ptx::is_float(lir.form.type)) return 0;
  const unsigned b = zeros(lir.s[1]);
  if (name == "add" || name == "sub" || name == "or" || name == "xor") return std::min(a, b);
  if (name == "and") return std::max(a, b);
  if (lir.form.half == Half::hi) return 0;
  if (name == "mul") return sum(a, b);
  if (name == "mad") return std::min(sum(a, b), zeros(lir.s[2]));
  return 0;
}

/// Starts from the largest possible values and lowers them until no instruction contradicts them.
Alignment::Alignment(const FunctionBody& body) : body_(body), zeros_(body.register_count(), 0) {
  std::vector<InstructionId> all;
  for (const BlockId block : body.blocks()) {
    for (const InstructionId id : body.instructions(block)) {
      all.push_back(id);
      body[id].for_each_write([&](std::uint32_t reg) { zeros_[reg] = kMost; });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const InstructionId id : all) {
      const unsigned made = zeros_made(body[id]);
      body[id].for_each_write([&](std::uint32_t reg) {
        if (zeros_[reg] <= made) return;
        zeros_[reg] = static_cast<std::uint8_t>(made);
        changed = true;
      });
    }
  }
}

}  // namespace raddle::isa
