// Lowering of mov: its operands decide what it is.
#include <algorithm>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/lower/vector.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

/// p = predicate or constant.
void move_predicate(Lowering& lower, const Operand& to, const Operand& from, LirInstruction& lir) {
  lir.p = lower.operands.predicate(to);
  if (from.kind == OperandKind::special && from.name == "%is_explicit_cluster") {
    // Launches that ask for clusters are refused; what remains is a kernel that says so itself.
    lir.source_negated =
        !lower.function.explicitcluster && lower.function.reqnctapercluster[0] == 0;
  } else {
    lower.operands.set_source_predicate(lir, from);
  }
}

/// {a, b, ...} = the parts of a value.
void move_parts(Lowering& lower, const Operand& to, const Operand& from, ptx::Type type,
                LirInstruction& lir) {
  const auto count = static_cast<unsigned>(to.elements.size());
  const unsigned bytes = ptx::bytes(type) / std::max(count, 1u);
  lir.out.execute = select_unpack(bytes, count);
  if (lir.out.execute == nullptr) {
    lower.refuse("a .{} value has no {} parts", ptx::name(type), count);
  }
  lir.s[0] = lower.operands.source(from, type);
  for (unsigned e = 0; e < count; ++e) {
    const Operand& part = to.elements[e];
    const bool byte = part.kind == OperandKind::reg && bytes == 1;
    (e == 0 ? lir.d : lir.s[e]) = byte ? lower.operands.source_bytes(part, 1)
                                       : lower.operands.destination(part, bits_type(bytes));
    if (e != 0) lir.writes_s[e] = true;
  }
}

/// A special register of the very width; false: of another, or none.
bool move_special(Lowering& lower, const Operand& to, const Operand& from, ptx::Type type,
                  LirInstruction& lir) {
  if (from.kind != OperandKind::special || is_warp_size(from)) return false;
  unsigned bits = 0;
  const Execute execute = select_special_register(from.name, &bits);
  if (execute == nullptr || bits != ptx::bits(type)) return false;
  lir.out.execute = execute;
  if (reads_clock(from)) {
    lir.out.kind = Kind::other;
    lir.effects |= kChangesState;
  }
  lir.d = lower.operands.destination(to, type);
  return true;
}

}  // namespace

void lower_mov(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 2) lower.refuse("mov takes 2 operands");
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const ptx::Type type = match.form.type;
  if (match.form.vector > 1) return lower_vector_mov(lower, instruction, match);
  LirInstruction lir = lower.begin(instruction, match);
  if (type == ptx::Type::pred) {
    move_predicate(lower, to, from, lir);
  } else if (to.kind == OperandKind::vector) {
    move_parts(lower, to, from, type, lir);
  } else if (!move_special(lower, to, from, type, lir)) {
    lir.s[0] = lower.operands.source(from, type);
    lir.d = lower.operands.destination(to, type);
  }
  lower.code.push(std::move(lir));
}

void lower_policy(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.empty()) lower.refuse("'{}' needs a destination", instruction.opcode);
  LirInstruction lir = lower.begin(instruction, match);
  lir.d = lower.operands.destination(instruction.operands[0], ptx::Type::b64);
  lower.code.push(std::move(lir));
}

/// A cluster has one block: rank 0.
void lower_rank(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.empty()) lower.refuse("'{}' needs a destination", instruction.opcode);
  LirInstruction lir = lower.begin(instruction, match);
  Form word;
  word.type = ptx::Type::u32;
  lir.out.execute = select_mov(word);
  lir.s[0] = lower.constants.constant(0, 4);
  lir.d = lower.operands.destination(instruction.operands[0], ptx::Type::u32);
  lower.code.push(std::move(lir));
}

}  // namespace raddle::isa
