#include "isa/lower/lowering.h"

#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

std::uint8_t effects_of(const Row& row, const Form& form) {
  std::uint8_t effects = row.effects;
  if (form.carry_out) effects |= kWritesCarry;
  return effects;
}

}  // namespace

LirInstruction of_row(const Match& match, const ptx::Instruction* from) {
  const Row& row = *match.row->row;
  LirInstruction lir = bare(match.execute, row.kind, match.row->klass, from);
  lir.row = &row;
  if (!match.row->from_outside) lir.opcode = row.mnemonic;
  lir.form = match.form;
  lir.out.unit = match.row->unit;
  lir.effects = effects_of(row, match.form);
  lir.memory.order = match.form.order;
  if (row.kind == Kind::memory) lir.memory.access = MemoryBehaviour::Access::update;
  return lir;
}

LirInstruction Lowering::begin(const ptx::Instruction& instruction, const Match& match) const {
  LirInstruction lir = of_row(match, refuse.instruction());
  lir.guard = instruction.guard;
  lir.guard_negated = instruction.guard_negated;
  return lir;
}

void Lowering::copy_register(const ptx::Instruction& guarded, Ref to, Ref from,
                             unsigned bytes) const {
  Form form;
  form.type = bits_type(bytes);
  LirInstruction lir = add(select_mov(form), Kind::compute, Class::move);
  lir.guard = guarded.guard;
  lir.guard_negated = guarded.guard_negated;
  lir.d = to;
  lir.s[0] = from;
  code.push(std::move(lir));
}

void Lowering::expect_operands(const ptx::Instruction& instruction, std::size_t count) const {
  if (instruction.operands.size() == count) return;
  refuse("'{}' takes {} operands", instruction.opcode, count);
}

}  // namespace raddle::isa
