// Lowering of bar and barrier (PTX ISA 9.7.13.1).
#include <algorithm>

#include "isa/barrier_operation.h"
#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

void lower_barrier(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  std::vector<Operand> operands = instruction.operands;
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  BarrierOperation operation = BarrierOperation::sync;
  if (form.arrive) operation = BarrierOperation::arrive;
  if (form.reduce) {
    operation = form.operation == Operation::popc     ? BarrierOperation::count_true
                : form.operation == Operation::op_and ? BarrierOperation::all_true
                                                      : BarrierOperation::any_true;
    if (operands.size() < 3)
      lower.refuse("a barrier reduction takes a destination, a barrier and a predicate");
    if (operation == BarrierOperation::count_true) {
      lir.d = lower.operands.destination(operands.front(), ptx::Type::u32);
    } else {
      lir.p = lower.operands.predicate_destination(operands.front());
    }
    lower.operands.set_source_predicate(lir, operands.back());
    operands.erase(operands.begin());
    operands.pop_back();
  }
  if (operands.empty() || operands.size() > 2 || (form.arrive && operands.size() != 2)) {
    lower.refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  lir.out.extra = static_cast<std::uint16_t>(operation);
  const Operand& number = operands[0];
  if (number.kind == OperandKind::integer) {
    if (number.bits > 15)
      lower.refuse("barrier {} does not exist: they are numbered 0 to 15", number.bits);
    lower.out.barriers = std::max(lower.out.barriers, static_cast<std::uint32_t>(number.bits) + 1);
  } else {
    lower.out.barriers = 16;
  }
  if (operands.size() == 2 && operands[1].kind == OperandKind::integer &&
      ((operands[1].bits == 0 && form.arrive) || operands[1].bits % kWarpSize != 0)) {
    lower.refuse("a barrier waits for a multiple of {} threads, not for {}", kWarpSize,
                 operands[1].bits);
  }
  for (const Operand& one : operands) lower.operands.check_no_pair(one, ptx::Type::u32);
  lir.s[0] = lower.operands.source(number, ptx::Type::u32);
  lir.s[1] = operands.size() == 2 ? lower.operands.source(operands[1], ptx::Type::u32)
                                  : lower.constants.constant(0, 4);
  lower.code.push(std::move(lir));
}

void lower_cluster_wait(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (!instruction.operands.empty()) lower.refuse("barrier.cluster.wait takes no operands");
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.s[0] = lower.constants.constant(kClusterBarrier, 4);
  lir.s[1] = lower.constants.constant(0, 4);
  lower.code.push(std::move(lir));
}

void lower_member_mask(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 1) {
    lower.refuse("bar.warp.sync needs one operand, a member mask");
  }
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.s[3] = lower.operands.source(instruction.operands[0], ptx::Type::b32);
  lower.code.push(std::move(lir));
}

}  // namespace raddle::isa
