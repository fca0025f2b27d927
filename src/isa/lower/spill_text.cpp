#include "isa/lower/spill_text.h"

#include <fmt/core.h>

namespace raddle::isa {

std::string spill_text(const ptx::Function& function, const LirInstruction& lir) {
  const auto name = [&](std::uint32_t reg) {
    return reg < function.registers.size() ? function.registers[reg].name
                                           : fmt::format("%t{}", reg);
  };
  std::string text;
  if (lir.guard != ptx::kNoId) {
    text = fmt::format("@{}{} ", lir.guard_negated ? "!" : "", name(lir.guard));
  }
  const std::string place = fmt::format("[frame+{}]", lir.out.immediate);
  const std::string reg = name(lir.spilled);
  const bool store = lir.reads_d;
  return text + fmt::format("{}.local.b{} {}, {}", store ? "st" : "ld", 8 * lir.out.bytes,
                            store ? place : reg, store ? reg : place);
}

}  // namespace raddle::isa
