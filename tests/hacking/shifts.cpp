// A pass of a mechanism: multiplications by powers of two become shifts. `raddle inspect --passes
// --with shifts PROGRAM` shows what it does, and `--set shifts.passes.multiply_by_shift=false`
// switches it off.
#include <fmt/core.h>

#include <bit>

#include "isa/passes/pass.h"
#include "machine/mechanism.h"

namespace raddle::mechanisms::shifts {
namespace {

/// By how much to shift instead, if that is what the instruction does.
std::optional<unsigned> shift_of(const isa::FunctionBody& body,
                                 const isa::LirInstruction& instruction) {
  const isa::Row* row = instruction.row;
  if (row == nullptr || row->mnemonic != "mul" || instruction.form.half != isa::Half::lo) return {};
  if (body.register_bytes(instruction.d.id) != 4) return {};
  const auto factor = body.constant_value(instruction.s[1]);
  if (!factor || !std::has_single_bit(*factor)) return {};
  return std::countr_zero(*factor);
}

class MultiplyByShift : public isa::Pass {
 public:
  const char* name() const override { return "multiply_by_shift"; }
  const char* meaning() const override { return "shift instead of multiplying by powers of two"; }

  void run(isa::FunctionBody& body, isa::PassNotes& notes) const override {
    unsigned replaced = 0;
    for (const isa::BlockId block : body.blocks()) {
      for (const isa::InstructionId id : body.instructions(block)) {
        const auto shift = shift_of(body, body[id]);
        if (!shift) continue;
        isa::LirInstruction instead = body.make("shl", {"b32"}, body[id]);
        instead.guard = body[id].guard;
        instead.guard_negated = body[id].guard_negated;
        instead.d = body[id].d;
        instead.s[0] = body[id].s[0];
        instead.s[1] = body.constant(*shift, 4);
        body.replace(id, std::move(instead));
        ++replaced;
      }
    }
    notes.push_back(fmt::format("replaced {} multiplications", replaced));
  }
};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "shifts";
  kind.meaning = "shifts instead of multiplications by powers of two";
  kind.passes = [](const ConfigGroup&, const machine::GpuConfig&) -> isa::PassList {
    return {std::make_shared<MultiplyByShift>()};
  };
  return kind;
}

}  // namespace raddle::mechanisms::shifts
