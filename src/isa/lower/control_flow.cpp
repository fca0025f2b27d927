#include "isa/lower/control_flow.h"

#include "isa/lower/rows.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

SkipUnlessGuarded::SkipUnlessGuarded(Lowering& lower, const ptx::Instruction& instruction)
    : code_(lower.code) {
  if (instruction.guard == ptx::kNoId) return;
  LirInstruction around = lower.add(execute_nothing, Kind::branch, Class::branch);
  around.guard = instruction.guard;
  around.guard_negated = !instruction.guard_negated;
  branch_ = code_.push(std::move(around));
}

SkipUnlessGuarded::~SkipUnlessGuarded() {
  if (branch_ != ptx::kNoId) code_[branch_].targets = {code_.size()};
}

void lower_branch(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != OperandKind::label ||
      lower.function.labels[instruction.operands[0].id].kind != ptx::Label::Kind::code) {
    lower.refuse("bra needs a label");
  }
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.labels = {instruction.operands[0].id};
  lir.falls_through = instruction.guard != ptx::kNoId;
  lower.code.push(std::move(lir));
}

void lower_branch_table(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[1].kind != OperandKind::label ||
      lower.function.labels[operands[1].id].kind != ptx::Label::Kind::targets) {
    lower.refuse("brx.idx needs an index and a label of .branchtargets");
  }
  const SkipUnlessGuarded skip(lower, instruction);
  LirInstruction lir = lower.begin(instruction, match);
  lir.guard = ptx::kNoId;
  lir.out.execute = execute_nothing;
  lir.s[0] = lower.operands.source(operands[0], ptx::Type::u32);
  lir.out.extra = kBranchTable;
  lir.indexed = true;
  for (const Operand& target :
       lower.function.target_lists[lower.function.labels[operands[1].id].index]) {
    if (target.kind != OperandKind::label) lower.refuse(".branchtargets lists labels");
    lir.labels.push_back(target.id);
  }
  if (lir.labels.empty()) lower.refuse("the list of branch targets is empty");
  lir.falls_through = false;
  lower.code.push(std::move(lir));
}

namespace {

/// `ends`: the instruction ends the kernel, also inside a function.
void lower_end(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
               bool ends) {
  if (!instruction.operands.empty()) lower.refuse("'{}' takes no operands", instruction.opcode);
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.falls_through = instruction.guard != ptx::kNoId;
  if (lower.function.entry || ends) {
    lir.out.kind = Kind::exit;
    lower.code.push(std::move(lir));
    return;
  }
  lir.out.kind = Kind::branch;
  lower.to_epilogue.push_back(lower.code.push(std::move(lir)));
}

}  // namespace

void lower_return(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_end(lower, instruction, match, false);
}

void lower_exit(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_end(lower, instruction, match, true);
}

}  // namespace raddle::isa
