// Lowering of discard and applypriority (PTX ISA 9.7.9.16, 9.7.9.17): hints for 128 bytes in the L2
// cache, of global memory or, with a generic address, in its window.
#include "isa/lower/function_lowering.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {

void FunctionLowering::lower_line_hint(const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  constexpr std::int64_t kLine = 128;
  if (operands.size() != 2 || integer_constant(operands[1]) != kLine) {
    refuse("{} takes an address and the size 128", instruction.opcode);
  }
  LirInstruction lir = begin(instruction, match);
  const ptx::Space space = address(lir, operands[0], match.form.space);
  if (space != ptx::Space::generic && space != ptx::Space::global) {
    refuse("{} is for global memory", instruction.opcode);
  }
  lir.out.execute = instruction.opcode == "discard" ? execute_discard : execute_applypriority;
  lir.out.bytes = kLine;
  push(std::move(lir));
}

}  // namespace raddle::isa
