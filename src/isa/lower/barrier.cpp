// Lowering of bar and barrier (PTX ISA 9.7.13.1).
#include <algorithm>

#include "isa/barrier_operation.h"
#include "isa/lower/function_lowering.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

void FunctionLowering::lower_barrier(const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  std::vector<Operand> operands = instruction.operands;
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_nothing;
  BarrierOperation operation = BarrierOperation::sync;
  if (form.arrive) operation = BarrierOperation::arrive;
  if (form.reduce) {
    operation = form.operation == Operation::popc     ? BarrierOperation::count_true
                : form.operation == Operation::op_and ? BarrierOperation::all_true
                                                      : BarrierOperation::any_true;
    if (operands.size() < 3)
      refuse("a barrier reduction takes a destination, a barrier and a predicate");
    if (operation == BarrierOperation::count_true) {
      lir.d = destination(operands.front(), ptx::Type::u32);
    } else {
      lir.p = predicate(operands.front());
    }
    set_source_predicate(lir, operands.back());
    operands.erase(operands.begin());
    operands.pop_back();
  }
  if (operands.empty() || operands.size() > 2 || (form.arrive && operands.size() != 2)) {
    refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  lir.out.extra = static_cast<std::uint16_t>(operation);
  const Operand& number = operands[0];
  if (number.kind == OperandKind::integer) {
    if (number.bits > 15)
      refuse("barrier {} does not exist: they are numbered 0 to 15", number.bits);
    out_.barriers = std::max(out_.barriers, static_cast<std::uint32_t>(number.bits) + 1);
  } else {
    out_.barriers = 16;
  }
  if (operands.size() == 2 && operands[1].kind == OperandKind::integer &&
      (operands[1].bits == 0 || operands[1].bits % kWarpSize != 0)) {
    refuse("a barrier waits for a multiple of {} threads, not for {}", kWarpSize, operands[1].bits);
  }
  lir.s[0] = source(number, ptx::Type::u32);
  lir.s[1] = operands.size() == 2 ? source(operands[1], ptx::Type::u32) : constant(0, 4);
  push(std::move(lir));
}

}  // namespace raddle::isa
