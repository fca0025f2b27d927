// Lowering of prefetch, prefetchu, discard and applypriority (PTX ISA 9.7.9.15 to 9.7.9.17): hints
// for cache lines of global memory, also through generic addresses in its window.
#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {

void lower_line_hint(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  constexpr std::int64_t kLine = 128;
  if (operands.size() != 2 || lower.operands.integer_constant(operands[1]) != kLine) {
    lower.refuse("{} takes an address and the size 128", instruction.opcode);
  }
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, operands[0], match.form.space);
  if (space != ptx::Space::generic && space != ptx::Space::global) {
    lower.refuse("{} is for global memory", instruction.opcode);
  }
  lir.out.bytes = kLine;
  lower.code.push(std::move(lir));
}

void lower_prefetch(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower.expect_operands(instruction, 1);
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, instruction.operands[0], match.form.space);
  if (space != match.form.space && space != ptx::Space::global) {
    lower.refuse("without .local, only global memory is prefetched");
  }
  lower_ignored(lower, instruction, match);
}

}  // namespace raddle::isa
