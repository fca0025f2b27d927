#include "isa/lower/vector.h"

#include <algorithm>

#include "isa/lower/rows.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

/// The ld or st of one half of the elements.
ptx::Instruction half_access(const ptx::Instruction& whole, unsigned half, const Form& form) {
  ptx::Instruction part = whole;
  const std::size_t count = form.vector / 2, first = half * count;
  for (ptx::Operand& operand : part.operands) {
    if (operand.kind == ptx::Operand::Kind::vector) {
      auto& elements = operand.elements;
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(first + count), elements.end());
      elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(first));
    } else if (operand.kind == ptx::Operand::Kind::address) {
      operand.offset += static_cast<std::int64_t>(first * ptx::bytes(form.type));
    }
  }
  return part;
}

}  // namespace

bool is_wide_vector(const Form& form) {
  return form.vector == 8 || form.vector * ptx::bits(form.type) > 128;
}

void lower_wide_vector(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                       Lower part) {
  const Form& form = match.form;
  if (form.vector * ptx::bits(form.type) > 256) lower.refuse("vectors have 256 bits at most");
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::vector && operand.elements.size() != form.vector) {
      lower.refuse("a vector of {} elements is needed", unsigned{form.vector});
    }
  }
  ptx::Instruction whole = instruction;
  for (Operand& operand : whole.operands) {
    if (operand.kind != OperandKind::address) continue;
    Operand& base = operand.elements[0];
    if (base.kind != OperandKind::reg || part == lower_store) continue;
    // Loading the first half may overwrite the address.
    const unsigned bytes = lower.code.bytes(base.id);
    if (bytes < 4 || bytes > 8) lower.refuse("an address is a 32- or 64-bit register");
    const std::uint32_t copy = lower.code.new_register(bytes);
    lower.copy_register(instruction, Ref::reg(copy), Ref::reg(base.id), bytes);
    base.id = copy;
  }
  Match narrow = match;
  narrow.form.vector /= 2;
  narrow.halved = true;
  for (const unsigned half : {0u, 1u}) part(lower, half_access(whole, half, form), narrow);
}

namespace {

/// atom and red on vectors: each element is an atomic operation of its own (PTX ISA 9.7.13.5).
void lower_vector_atomic(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                         bool result) {
  const auto& operands = instruction.operands;
  const std::size_t at = result ? 1 : 0;
  const bool complete = operands.size() == at + 2 || operands.size() == at + 3;
  const unsigned count = match.form.vector;
  const auto is_vector = [&](const Operand& operand) {
    return operand.kind == OperandKind::vector && operand.elements.size() == count;
  };
  if (!complete || operands[at].kind != OperandKind::address || !is_vector(operands[at + 1]) ||
      (result && operands[0].kind != OperandKind::sink && !is_vector(operands[0]))) {
    lower.refuse("'{}' takes vectors of {} elements and an address", instruction.opcode, count);
  }
  const unsigned bytes = ptx::bytes(match.form.type);
  Match element = match;
  element.form.vector = 1;
  std::vector<std::pair<const Operand*, std::uint32_t>> results;
  for (unsigned e = 0; e < count; ++e) {
    ptx::Instruction part = instruction;
    part.operands[at].offset += e * bytes;
    const Operand& value = operands[at + 1].elements[e];
    const bool whole =
        value.kind == OperandKind::reg ||
        (bytes == 2 && value.kind != OperandKind::real32 && value.kind != OperandKind::real64);
    if (match.form.noftz && !whole) {
      lower.refuse("the elements of a vector of .{} are registers", ptx::name(match.form.type));
    }
    part.operands[at + 1] = value;
    if (result && operands[0].kind == OperandKind::vector) {
      // The program's registers get the results later: the next element may need their old values.
      const Operand& to = operands[0].elements[e];
      part.operands[0] = to;
      if (to.kind == OperandKind::reg) {
        lower.operands.check_register(to.id, match.form.type, true);
        part.operands[0].id = lower.code.new_register(bytes);
        results.emplace_back(&to, part.operands[0].id);
      }
    }
    lower_atomic(lower, part, element, result);
  }
  for (const auto& [to, from] : results) {
    lower.copy_register(instruction, Ref::reg(to->id), Ref::reg(from), bytes);
  }
}

}  // namespace

void lower_vector_atom(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_vector_atomic(lower, instruction, match, true);
}

void lower_vector_red(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_vector_atomic(lower, instruction, match, false);
}

void lower_vector_mov(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const unsigned count = match.form.vector, bytes = ptx::bytes(match.form.type);
  if (to.kind == OperandKind::vector && from.kind != OperandKind::vector) {
    // PTX ISA 9.7.9.3 has no such form. ptxas accepts it, but its meaning is not documented.
    lower.refuse.unsupported("'mov.v{}' moves a vector from a vector", count);
  }
  if (to.kind != OperandKind::vector || from.kind != OperandKind::vector ||
      to.elements.size() != count || from.elements.size() != count) {
    lower.refuse("'mov.v{}' takes two vectors of {} elements", count, count);
  }
  const auto unused = [](const Operand& one) { return one.kind == OperandKind::sink; };
  if (std::all_of(to.elements.begin(), to.elements.end(), unused)) lower.refuse("nothing is moved");
  std::vector<Ref> values;
  for (const Operand& element : from.elements) {
    if (element.kind == OperandKind::symbol) {
      lower.refuse("the elements of a vector are registers and constants");
    }
    const Ref copy = lower.code.scratch(bytes);
    lower.copy_register(instruction, copy, lower.operands.source(element, match.form.type), bytes);
    values.push_back(copy);
  }
  for (unsigned e = 0; e < count; ++e) {
    if (to.elements[e].kind == OperandKind::sink) continue;
    lower.copy_register(instruction, lower.operands.destination(to.elements[e], match.form.type),
                        values[e], bytes);
  }
}

/// .f32x2: the single-precision instruction on each half of 64-bit registers.
void lower_single_pair(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  const std::size_t needed = match.row->required;
  lower.expect_operands(instruction, needed);
  for (const Operand& one : operands) lower.operands.check_untyped(one);
  LirInstruction halves[2] = {lower.begin(instruction, match), lower.begin(instruction, match)};
  for (std::size_t n = 1; n < needed; ++n) {
    LirInstruction unpack = lower.add(select_unpack(4, 2), Kind::compute, Class::move);
    unpack.s[0] = lower.operands.register_of(operands[n], ptx::Type::b64);
    unpack.d = halves[0].s[n - 1] = lower.code.scratch(4);
    unpack.s[1] = halves[1].s[n - 1] = lower.code.scratch(4);
    unpack.writes_s[1] = true;
    lower.code.push(std::move(unpack));
  }
  LirInstruction pack = lower.add(select_pack(4, 2), Kind::compute, Class::move);
  pack.guard = instruction.guard;
  pack.guard_negated = instruction.guard_negated;
  for (const unsigned half : {0u, 1u}) {
    pack.s[half] = halves[half].d = lower.code.scratch(4);
    lower.code.push(std::move(halves[half]));
  }
  pack.d = lower.operands.destination(operands[0], ptx::Type::b64);
  lower.code.push(std::move(pack));
}

}  // namespace raddle::isa
