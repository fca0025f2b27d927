// Dead code elimination: removes instructions that only write values which no instruction reads.
#include <fmt/core.h>

#include "isa/passes/pass.h"

namespace raddle::isa {
namespace {

/// Changes `live` from the registers after the instruction to those before it.
void step_back(const LirInstruction& lir, std::vector<bool>& live) {
  if (!lir.keeps_others()) lir.for_each_write([&](std::uint32_t reg) { live[reg] = false; });
  lir.for_each_read([&](std::uint32_t reg) { live[reg] = true; });
}

bool is_dead(const LirInstruction& lir, const std::vector<bool>& live) {
  if (has_side_effects(lir)) return false;
  bool writes = false, needed = false;
  lir.for_each_write([&](std::uint32_t reg) {
    writes = true;
    needed |= live[reg];
  });
  return writes && !needed;
}

/// The block's dead instructions, including those whose results only dead instructions read.
std::vector<InstructionId> dead_in(const FunctionBody& body, BlockId block) {
  std::vector<bool> live(body.register_count(), false);
  for (const std::uint32_t reg : body.live_out(block)) live[reg] = true;
  std::vector<InstructionId> dead;
  const auto& inside = body.instructions(block);
  for (auto at = inside.rbegin(); at != inside.rend(); ++at) {
    if (is_dead(body[*at], live)) {
      dead.push_back(*at);
    } else {
      step_back(body[*at], live);
    }
  }
  return dead;
}

class DeadCode : public Pass {
 public:
  const char* name() const override { return "dead_code"; }
  const char* meaning() const override {
    return "remove instructions whose results nobody reads and that do nothing else";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    std::size_t removed = 0, rounds = 0;
    for (bool changed = true; changed; ++rounds) {
      std::vector<InstructionId> dead;
      for (const BlockId block : body.blocks()) {
        const auto here = dead_in(body, block);
        dead.insert(dead.end(), here.begin(), here.end());
      }
      for (const InstructionId id : dead) body.erase(id);
      removed += dead.size();
      changed = !dead.empty();
    }
    notes.push_back(fmt::format("removed {} instructions in {} rounds", removed, rounds));
  }
};

}  // namespace

std::shared_ptr<const Pass> dead_code_elimination() { return std::make_shared<DeadCode>(); }

}  // namespace raddle::isa
