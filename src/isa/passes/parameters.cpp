// A kernel's parameters, and constants at known addresses, lie in constant banks from which
// instructions read operands directly: loading them takes no instructions and no registers. Here
// the first one of each block and bank is loaded, with the time that this takes when the bank is
// cold. The others come with the next instruction that computes and does not need them, or else
// with one further load.
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool loads_from(Space bank, const LirInstruction& lir) {
  return lir.out.kind == Kind::memory && lir.memory.access == MemoryBehaviour::Access::load &&
         lir.memory.space == bank && lir.s[0].kind == Ref::Kind::constant && !lir.conditional() &&
         lir.row != nullptr && lir.opcode == "ld";
}

/// Whether the register is part of an address, which machine code takes only from registers.
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
    return "read a kernel's parameters, and constants at known addresses, from the constant banks, "
           "without instructions and registers for each";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const Definitions definitions(body);
    const std::vector<bool> need_register = in_addresses(body);
    Counts parameters, constants;
    for (const BlockId block : body.blocks()) {
      read_from(Space::param, body, block, definitions, need_register, parameters);
      read_from(Space::constant, body, block, definitions, need_register, constants);
    }
    notes.push_back(
        fmt::format("{} loads of parameters and {} of constants take no instruction, {} and {} no "
                    "registers",
                    parameters.joined, constants.joined, parameters.without, constants.without));
  }

 private:
  struct Counts {
    unsigned joined = 0, without = 0;
  };

  static void read_from(Space bank, FunctionBody& body, BlockId block,
                        const Definitions& definitions, const std::vector<bool>& need_register,
                        Counts& counts) {
    std::vector<InstructionId> loads;
    for (const InstructionId id : body.instructions(block)) {
      if (!loads_from(bank, body[id])) continue;
      bool single = true;
      body[id].for_each_write([&](std::uint32_t reg) {
        single &= definitions.single(reg) == id;
        if (definitions.single(reg) != id || need_register[reg]) return;
        body.keep_in_constant_bank(reg);
        ++counts.without;
      });
      if (single) loads.push_back(id);
    }
    if (loads.size() >= 2 && join(body, block, loads)) {
      counts.joined += static_cast<unsigned>(loads.size()) - 1;
    }
  }

  /// The instruction that brings the parameters along; no instruction before it may need one of
  /// them.
  static InstructionId host(const FunctionBody& body, BlockId block,
                            const std::vector<InstructionId>& loads) {
    std::vector<std::uint32_t> late;
    for (const InstructionId id : loads) {
      if (id == loads.front()) continue;
      body[id].for_each_write([&](std::uint32_t reg) { late.push_back(reg); });
    }
    const auto& inside = body.instructions(block);
    for (std::size_t n = body.position(loads.front()) + 1; n < inside.size(); ++n) {
      const LirInstruction& lir = body[inside[n]];
      bool needs = false;
      lir.for_each_read([&](std::uint32_t reg) {
        needs |= std::find(late.begin(), late.end(), reg) != late.end();
      });
      if (needs) break;
      const bool computes = lir.out.kind == Kind::compute && lir.effects == 0 &&
                            lir.parts.empty() && lir.row != nullptr && !lir.conditional();
      if (computes) return inside[n];
    }
    return kNoInstruction;
  }

  /// Puts the load first whose value the block needs first: that load waits for the bank.
  static void put_first_needed_first(const FunctionBody& body, BlockId block,
                                     std::vector<InstructionId>& loads) {
    for (const InstructionId id : body.instructions(block)) {
      for (InstructionId& load : loads) {
        bool needs = false;
        body[load].for_each_write([&](std::uint32_t reg) {
          body[id].for_each_read([&](std::uint32_t read) { needs |= read == reg; });
        });
        if (needs) return std::swap(load, loads.front());
      }
    }
  }

  static bool join(FunctionBody& body, BlockId block, std::vector<InstructionId> loads) {
    const InstructionId found = host(body, block, loads);
    if (found == kNoInstruction && loads.size() < 3) return false;
    // Where the next computing instruction needs one of them, all except the first load go with one
    // load.
    InstructionId with = found;
    if (found == kNoInstruction) {
      const InstructionId earliest = loads.front();
      put_first_needed_first(body, block, loads);
      with = loads.front() == earliest ? loads[1] : earliest;
    }
    const Class klass = found == kNoInstruction ? Class::move : body[with].out.klass;
    // Parts run one after the other, and a parameter may go to a register that the host reads.
    std::vector<LirInstruction> parts;
    if (found != kNoInstruction) parts.push_back(body[with]);
    for (const InstructionId id : loads) {
      if (id == loads.front()) continue;
      LirInstruction part = body[id];
      part.out.kind = Kind::compute;
      part.out.klass = klass;
      part.memory = {};
      parts.push_back(std::move(part));
      if (id != with) body.erase(id);
    }
    LirInstruction whole = body.merge(std::move(parts));
    whole.from = body[with].from;
    body.replace(with, std::move(whole));
    return true;
  }
};

}  // namespace

std::shared_ptr<const Pass> constant_bank_parameters() { return std::make_shared<Parameters>(); }

}  // namespace raddle::isa
