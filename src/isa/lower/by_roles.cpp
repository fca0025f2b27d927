// Lowers operands as the roles of the row describe them.
#include <algorithm>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/comparison.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

using Role = OperandSpec::Role;

/// mapa and getctarank accept only variables in shared memory. Like ptxas, names of functions pass.
void check_shared(Lowering& lower, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (operands.size() > 1 && operands[1].kind == OperandKind::symbol &&
      operands[1].scope != Operand::Scope::function &&
      lower.addresses.place_of(operands[1]).space != ptx::Space::shared) {
    lower.refuse("'{}' is not in .shared", operands[1].name);
  }
}

/// The destination of an operand that is a destination, or a pair of it and a predicate.
const Operand& first_of(Lowering& lower, const OperandSpec& spec, const Operand& operand,
                        LirInstruction& lir) {
  const bool pair = operand.kind == OperandKind::pair;
  if (spec.needs_second && (!pair || operand.elements[1].kind == OperandKind::sink)) {
    lower.refuse("a predicate destination is needed: d|p");
  }
  if (!pair) return operand;
  if (!spec.second) lower.refuse("a predicate destination is not allowed here");
  if (operand.elements[1].kind != OperandKind::sink) {
    lir.p = lower.operands.predicate_destination(operand.elements[1]);
  }
  return operand.elements[0];
}

/// `_` may replace the destination where a predicate is a result as well, and in lop3.
Ref destination_of(Lowering& lower, const OperandSpec& spec, const Operand& operand, ptx::Type type,
                   LirInstruction& lir) {
  const Operand& to = first_of(lower, spec, operand, lir);
  return spec.may_be_sink ? lower.operands.destination_or_sink(to, type)
                          : lower.operands.destination(to, type);
}

void set_predicates(Lowering& lower, const OperandSpec& spec, const Operand& operand,
                    LirInstruction& lir) {
  const bool pair = operand.kind == OperandKind::pair;
  const Operand& first = pair ? operand.elements[0] : operand;
  if (first.kind != OperandKind::sink || !spec.second) {
    lir.p = lower.operands.predicate_destination(first);
  }
  if (pair && operand.elements[1].kind != OperandKind::sink) {
    if (!spec.second) lower.refuse("a second predicate destination is not allowed here");
    lir.q = lower.operands.predicate_destination(operand.elements[1]);
  }
}

void set_predicate_operand(Lowering& lower, const OperandSpec& spec, const Operand& operand,
                           LirInstruction& lir) {
  lir.predicate_slot = spec.index;
  if (operand.kind == OperandKind::integer) {
    lir.s[spec.index] =
        Ref::constant(operand.bits != 0 ? kTruePredicate : kTruePredicate | kConstantBit);
    return;
  }
  lir.predicate_source = lower.operands.predicate(operand);
  lir.predicate_negated = operand.negated;
}

/// Comparisons of bf16 also take no constants as predicates.
bool of_bfloats(const Form& form) {
  const auto is = [](ptx::Type type) {
    return type == ptx::Type::bf16 || type == ptx::Type::bf16x2;
  };
  return is(form.type) || is(form.type2);
}

void lower_operand(Lowering& lower, const OperandSpec& spec, const Operand& operand,
                   const Match& match, LirInstruction& lir) {
  const ptx::Type type = spec.type(match.form);
  if (spec.key == OperandSpec::TypeKey::named) lower.operands.check_no_pair(operand, type);
  switch (spec.role) {
    case Role::destination:
      lir.d = destination_of(lower, spec, operand, type, lir);
      break;
    case Role::predicates:
      set_predicates(lower, spec, operand, lir);
      break;
    case Role::source:
      if (type == ptx::Type::pred) {
        set_predicate_operand(lower, spec, operand, lir);
      } else {
        lir.s[spec.index] = lower.operands.source(operand, type);
      }
      break;
    case Role::source_predicate:
      if (of_bfloats(match.form)) lower.operands.predicate(operand);
      lower.operands.set_source_predicate(lir, operand);
      break;
    case Role::constant:
      lir.out.immediate = lower.operands.integer_constant(operand);
      break;
    case Role::address:
      lower.addresses.form(lir, operand, match.form.space);
      break;
  }
}

/// Registers of cvt may be wider than its types (PTX ISA 9.4.1): integers of any kind, floats in
/// untyped registers. Conversions of the types that came with tensor cores, and packed ones, need
/// registers of exactly their size.
bool has_exact_sizes(const Form& form) {
  const auto exact = [](ptx::Type type) {
    constexpr ptx::Type kWiden[] = {ptx::Type::none, ptx::Type::f16, ptx::Type::f16x2,
                                    ptx::Type::f32, ptx::Type::f64};
    return !ptx::is_signed(type) && !ptx::is_unsigned(type) &&
           std::find(std::begin(kWiden), std::end(kWiden), type) == std::end(kWiden);
  };
  return !form.pack && (exact(form.type) || exact(form.type2));
}

void lower_wide_operand(Lowering& lower, const OperandSpec& spec, const Operand& operand,
                        const Match& match, LirInstruction& lir) {
  const ptx::Type type = spec.type(match.form);
  const bool is_register = operand.kind == OperandKind::reg;
  const unsigned held = is_register ? lower.code.bytes(operand.id) : ptx::bytes(type);
  const bool wider = is_register && held * 8u > ptx::bits(type) && !has_exact_sizes(match.form);
  if (wider) lower.operands.check_wider(operand.id, type);
  if (operand.kind == OperandKind::special) {
    const bool to_float = ptx::is_float(match.form.type) && !is_warp_size(operand);
    if (match.form.pack || has_exact_sizes(match.form) || to_float)
      lower.refuse("'{}' is no operand of this conversion: a register is needed", operand.name);
    lower.operands.check_special_width(operand, type);
  }
  if (spec.role == Role::destination) {
    lir.d = wider ? Ref::reg(operand.id) : lower.operands.destination(operand, type);
    lir.out.bytes = static_cast<std::uint8_t>(held);
    return;
  }
  lir.out.elements = static_cast<std::uint8_t>(held);
  lir.s[spec.index] = wider ? Ref::reg(operand.id) : lower.operands.source(operand, type);
}

using LowerOperand = void (*)(Lowering&, const OperandSpec&, const Operand&, const Match&,
                              LirInstruction&);

/// The instruction with the operands that its row describes.
LirInstruction with_operands(Lowering& lower, const ptx::Instruction& instruction,
                             const Match& match, LowerOperand lower_one) {
  const auto& specs = match.row->operands;
  const auto& operands = instruction.operands;
  const std::size_t required = match.row->required;
  if (operands.size() < required || operands.size() > specs.size()) {
    lower.refuse("'{}' takes {} operands, not {}", instruction.opcode,
                 required == specs.size() ? fmt::format("{}", required)
                                          : fmt::format("{} to {}", required, specs.size()),
                 operands.size());
  }
  LirInstruction lir = lower.begin(instruction, match);
  std::size_t optional_left = operands.size() - required, next = 0;
  for (const OperandSpec& spec : specs) {
    if (spec.optional) {
      if (optional_left == 0) {
        if (spec.role == Role::source) lir.s[spec.index] = lower.operands.constant(0, 4);
        continue;
      }
      --optional_left;
    }
    lower_one(lower, spec, operands[next++], match, lir);
  }
  return lir;
}

void lower_each(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                LowerOperand lower_one) {
  lower.code.push(with_operands(lower, instruction, match, lower_one));
}

}  // namespace

void lower_by_roles(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_each(lower, instruction, match, lower_operand);
}

void lower_convert(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_each(lower, instruction, match, lower_wide_operand);
}

void lower_stackrestore(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != OperandKind::reg) lower.refuse("what stacksave gave is in a register");
  }
  lower_by_roles(lower, instruction, match);
}

/// Cache policies have no effect in raddle: all are 0.
void lower_policy(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  LirInstruction lir = lower.begin(instruction, match);
  lir.d = with_operands(lower, instruction, match, lower_operand).d;
  lower.code.push(std::move(lir));
}

void lower_cluster_address(Lowering& lower, const ptx::Instruction& instruction,
                           const Match& match) {
  check_shared(lower, instruction);
  lower_by_roles(lower, instruction, match);
}

/// A cluster has one block, with rank 0.
void lower_rank(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_shared(lower, instruction);
  LirInstruction lir = lower.begin(instruction, match);
  lir.d = with_operands(lower, instruction, match, lower_operand).d;
  Form word;
  word.type = ptx::Type::u32;
  lir.out.execute = select_mov(word);
  lir.s[0] = lower.constants.constant(0, 4);
  lower.code.push(std::move(lir));
}

void lower_set(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_by_roles(lower, instruction, match);
  isa::Instruction& out = lower.code[lower.code.size() - 1].out;
  out.immediate = true_value(match.form);
  out.extra = static_cast<std::uint16_t>(match.form.operation);
}

/// mad.f32 without a rounding modifier, which PTX up to 3.1 allows. As in ptxas for sm_20 and later
/// (PTX ISA 9.7.3.7) it becomes fma.rn, with .ftz where the target has no subnormals.
void lower_unrounded(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  Match fused = match;
  if (lower.module.sm < 20) fused.form.ftz = true;
  fused.execute = match.row->row->select(fused.form);
  lower_by_roles(lower, instruction, fused);
}

/// Instructions without effect get the same checks as all others.
void lower_ignored(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  with_operands(lower, instruction, match, lower_operand);
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.effects |= kChangesState;
  lower.code.push(std::move(lir));
}

void lower_event(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const bool mask = match.form.extra != 0;
  for (const Operand& operand : instruction.operands)
    lower.operands.check_range(operand, 0, mask ? 0xffff : 15,
                               mask ? "the mask of events" : "an event");
  lower_ignored(lower, instruction, match);
}

void lower_register_count(Lowering& lower, const ptx::Instruction& instruction,
                          const Match& match) {
  for (const Operand& operand : instruction.operands) {
    lower.operands.check_range(operand, 24, 256, "the number of registers");
    if (operand.bits % 8 != 0)
      lower.refuse("the number of registers is a multiple of 8, not {}", operand.bits);
  }
  lower_ignored(lower, instruction, match);
}

void lower_bit_field(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  for (std::size_t n = match.row->required - 2; n < operands.size(); ++n)
    lower.operands.check_range(operands[n], 0, 255, "the position or length of a bit field");
  lower_by_roles(lower, instruction, match);
}

}  // namespace raddle::isa
