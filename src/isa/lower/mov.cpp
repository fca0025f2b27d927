// Lowering of mov, whose meaning depends on its operands.
#include <algorithm>
#include <bit>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/lower/vector.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

/// p = predicate or constant.
void move_predicate(Lowering& lower, const Operand& to, const Operand& from, LirInstruction& lir) {
  lir.p = lower.operands.predicate_destination(to);
  if (from.kind == OperandKind::special && from.name == "%is_explicit_cluster") {
    // Launches that ask for clusters are refused, so only the kernel itself can ask for one.
    lir.source_negated =
        !lower.function.explicitcluster && lower.function.reqnctapercluster[0] == 0;
  } else {
    lower.operands.set_source_predicate(lir, from);
  }
}

/// {a} means a.
const Operand& only_element(const Operand& operand, bool untyped) {
  const bool one = operand.kind == OperandKind::vector && operand.elements.size() == 1;
  return one && untyped ? operand.elements[0] : operand;
}

/// {a, b, ...} = parts of a value.
void move_parts(Lowering& lower, const Operand& to, const Operand& from, ptx::Type type,
                LirInstruction& lir) {
  const auto count = static_cast<unsigned>(to.elements.size());
  const auto unused = [](const Operand& one) { return one.kind == OperandKind::sink; };
  if (!ptx::is_untyped(type) || std::all_of(to.elements.begin(), to.elements.end(), unused)) {
    lower.refuse("parts are taken of .b32, .b64 and .b128 values, and not all can be left out");
  }
  if (from.kind == OperandKind::vector) {
    lower.refuse("a vector is moved to a vector by mov.v{}", count);
  }
  const unsigned bytes = ptx::bytes(type) / std::max(count, 1u);
  lir.out.execute = select_unpack(bytes, count);
  if (lir.out.execute == nullptr) {
    lower.refuse("a .{} value has no {} parts", ptx::name(type), count);
  }
  lir.s[0] = lower.operands.source(from, type);
  for (unsigned e = 0; e < count; ++e) {
    const Operand& part = to.elements[e];
    lower.operands.check_part(part, bytes);
    const bool byte = part.kind == OperandKind::reg && bytes == 1;
    (e == 0 ? lir.d : lir.s[e]) = byte ? lower.operands.source_bytes(part, 1)
                                       : lower.operands.destination_or_sink(part, bits_type(bytes));
    if (e != 0) lir.writes_s[e] = true;
  }
}

/// Handles a special register with the same width as the type; false for another width or operand.
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
  const ptx::Type type = match.form.type;
  const bool untyped = ptx::is_untyped(type);
  const Operand &to = only_element(instruction.operands[0], untyped),
                &from = only_element(instruction.operands[1], untyped);
  if (match.form.vector > 1) return lower_vector_mov(lower, instruction, match);
  LirInstruction lir = lower.begin(instruction, match);
  if (type == ptx::Type::pred) {
    move_predicate(lower, to, from, lir);
  } else if (to.kind == OperandKind::vector) {
    move_parts(lower, to, from, type, lir);
  } else if (!move_special(lower, to, from, type, lir)) {
    if (from.kind == OperandKind::vector && !ptx::is_untyped(type)) {
      lower.refuse("parts make up a .b32, .b64 or .b128 value");
    }
    lir.s[0] = lower.operands.source(from, type);
    lir.d = lower.operands.destination(to, type);
  }
  lower.code.push(std::move(lir));
}

/// createpolicy.fractional: the fraction of the accesses, in (0, 1], 1 by default.
void lower_fraction_policy(Lowering& lower, const ptx::Instruction& instruction,
                           const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.empty() || operands.size() > 2) lower.refuse("createpolicy takes 1 or 2 operands");
  LirInstruction lir = lower.begin(instruction, match);
  lir.d = lower.operands.destination(operands[0], ptx::Type::u64);
  if (operands.size() == 2) {
    const Operand& fraction = operands[1];
    lower.operands.source(fraction,
                          fraction.kind == OperandKind::reg ? ptx::Type::b32 : ptx::Type::f32);
    if (fraction.kind != OperandKind::reg) {
      const std::uint64_t bits = lower.operands.immediate_bits(fraction, ptx::Type::f32);
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if (!(value > 0 && value <= 1))
        lower.refuse("the fraction must be more than 0 and at most 1");
    }
  }
  lower.code.push(std::move(lir));
}

}  // namespace raddle::isa
