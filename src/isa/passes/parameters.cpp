// A kernel's parameters lie in a constant bank from which instructions read operands: loading them
// takes no instructions and no registers. Here the first of them is loaded, with what that takes
// when the bank is cold, and the others come with it in one instruction.
#include <fmt/format.h>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/semantics/movement.h"
#include "isa/semantics/parts.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool loads_parameter(const LirInstruction& lir) {
  return lir.out.kind == Kind::memory && lir.memory.access == MemoryBehaviour::Access::load &&
         lir.memory.space == Space::param && lir.s[0].kind == Ref::Kind::constant &&
         !lir.conditional() && lir.row != nullptr && lir.row->mnemonic == "ld";
}

/// Whether the register goes into an address, which machine code takes from registers alone.
std::vector<bool> in_addresses(const FunctionBody& body) {
  std::vector<bool> found(body.register_count(), false);
  for (const BlockId block : body.blocks()) {
    for (const InstructionId id : body.instructions(block)) {
      const LirInstruction& lir = body[id];
      if (lir.out.kind == Kind::compute && lir.parts.empty()) continue;
      lir.for_each_read([&](std::uint32_t reg) { found[reg] = true; });
    }
  }
  return found;
}

class Parameters : public Pass {
 public:
  const char* name() const override { return "parameters"; }
  const char* meaning() const override {
    return "read a kernel's parameters from the constant bank, without instructions and registers "
           "for each";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const Definitions definitions(body);
    const std::vector<bool> need_register = in_addresses(body);
    unsigned joined = 0, without = 0;
    for (const BlockId block : body.blocks()) {
      std::vector<InstructionId> loads;
      for (const InstructionId id : body.instructions(block)) {
        if (!loads_parameter(body[id])) continue;
        bool single = true;
        body[id].for_each_write([&](std::uint32_t reg) {
          single &= definitions.single(reg) == id;
          if (definitions.single(reg) != id || need_register[reg]) return;
          body.keep_in_constant_bank(reg);
          ++without;
        });
        if (single) loads.push_back(id);
      }
      if (loads.size() < 2) continue;
      joined += static_cast<unsigned>(loads.size()) - 1;
      join(body, block, loads);
    }
    notes.push_back(fmt::format("{} loads of parameters take no instruction, {} no registers",
                                joined, without));
  }

 private:
  static void join(FunctionBody& body, BlockId block, const std::vector<InstructionId>& loads) {
    LirInstruction whole =
        bare(execute_parts, Kind::compute, Class::move, body[loads.front()].from);
    for (const InstructionId id : loads) {
      if (id == loads.front()) continue;
      LirInstruction part = body[id];
      part.out.kind = Kind::compute;
      part.out.klass = Class::move;
      part.memory = {};
      whole.parts.push_back(std::move(part));
    }
    body.insert(block, body.position(loads.front()) + 1, std::move(whole));
    for (const InstructionId id : loads) {
      if (id != loads.front()) body.erase(id);
    }
  }
};

}  // namespace

std::shared_ptr<const Pass> constant_bank_parameters() { return std::make_shared<Parameters>(); }

}  // namespace raddle::isa
