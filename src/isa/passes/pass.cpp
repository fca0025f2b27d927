#include "isa/passes/pass.h"

#include <fmt/format.h>

#include "isa/table.h"

namespace raddle::isa {
namespace {

std::string block_names(const std::vector<BlockId>& blocks) {
  std::string text;
  for (const BlockId block : blocks) text += fmt::format(" B{}", block);
  return text;
}

/// Of an instruction that the program does not have.
std::string made_up(const LirInstruction& lir) {
  if (lir.row != nullptr) return fmt::format("({})", lir.row->mnemonic);
  switch (lir.out.kind) {
    case Kind::branch:
      return "(branch)";
    case Kind::ret:
      return "(ret)";
    case Kind::exit:
      return "(exit)";
    default:
      return "(added by lowering)";
  }
}

}  // namespace

bool has_side_effects(const LirInstruction& instruction) {
  constexpr std::uint8_t kEffects = kChangesState | kTakesStack | kWritesCarry;
  // Loads may fault, and another thread may see stores.
  return instruction.out.kind != Kind::compute || (instruction.effects & kEffects) != 0 ||
         instruction.memory.access != MemoryBehaviour::Access::none;
}

std::string listing(const FunctionBody& body,
                    const std::function<std::string(const LirInstruction&)>& text) {
  std::string out;
  for (const BlockId block : body.blocks()) {
    out += fmt::format("B{}:{}{}\n", block, body.successors(block).empty() ? "" : " to",
                       block_names(body.successors(block)));
    for (const InstructionId id : body.instructions(block)) {
      const std::string written = text(body[id]);
      out += "  " + (written.empty() ? made_up(body[id]) : written) + "\n";
    }
  }
  return out;
}

const PassList& built_in_passes() {
  static const PassList passes = {dead_code_elimination()};
  return passes;
}

}  // namespace raddle::isa
