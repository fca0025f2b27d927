// Lowering of vectors that no single decoded instruction holds: they become one for each part.
#include <algorithm>

#include "isa/lower/function_lowering.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

bool is_vector_length(std::string_view word) {
  return word == "v2" || word == "v4" || word == "v8";
}

/// ld or st of half the elements.
ptx::Instruction half_access(const ptx::Instruction& whole, unsigned half, const Form& form) {
  ptx::Instruction part = whole;
  for (std::string_view& word : part.modifiers) {
    if (is_vector_length(word)) word = form.vector == 8 ? "v4" : "v2";
  }
  const std::size_t count = form.vector / 2, first = half * count;
  for (ptx::Operand& operand : part.operands) {
    if (operand.kind == ptx::Operand::Kind::vector) {
      auto& elements = operand.elements;
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(first + count), elements.end());
      elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(first));
    } else if (operand.kind == ptx::Operand::Kind::address) {
      operand.offset += static_cast<std::int64_t>(first * ptx::bits(form.type) / 8);
    }
  }
  return part;
}

}  // namespace

/// Whether an ld or st has more than four elements or 128 bits, as the widest of PTX 8.8 have.
bool FunctionLowering::is_wide_vector(const Form& form) {
  return form.vector == 8 || form.vector * ptx::bits(form.type) > 128;
}

void FunctionLowering::copy_register(const ptx::Instruction& instruction, Ref to, Ref from,
                                     unsigned bytes) {
  constexpr ptx::Type kBits[] = {ptx::Type::b8, ptx::Type::b16, ptx::Type::b32, ptx::Type::b64,
                                 ptx::Type::b128};
  Form form;
  form.type = kBits[std::countr_zero(bytes)];
  LirInstruction lir = bare(select_mov(form), Kind::compute, Class::move);
  lir.guard = instruction.guard;
  lir.guard_negated = instruction.guard_negated;
  lir.d = to;
  lir.s[0] = from;
  push(std::move(lir));
}

void FunctionLowering::lower_wide_vector(const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  if (form.vector * ptx::bits(form.type) > 256) refuse("vectors have 256 bits at most");
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::vector && operand.elements.size() != form.vector) {
      refuse("a vector of {} elements is needed", unsigned{form.vector});
    }
  }
  ptx::Instruction whole = instruction;
  for (Operand& operand : whole.operands) {
    if (operand.kind != OperandKind::address) continue;
    Operand& base = operand.elements[0];
    if (base.kind != OperandKind::reg || instruction.opcode == "st") continue;
    // The first half may be loaded over the address.
    const unsigned bytes = bytes_[base.id];
    if (bytes < 4 || bytes > 8) refuse("an address is a 32- or 64-bit register");
    const std::uint32_t copy = new_register(bytes);
    copy_register(instruction, Ref::reg(copy), Ref::reg(base.id), bytes);
    base.id = copy;
  }
  for (const unsigned half : {0u, 1u}) {
    const ptx::Instruction part = half_access(whole, half, form);
    const Match& part_match = matcher_.match(part);
    if (instruction.opcode == "st") {
      lower_store(part, part_match);
    } else {
      lower_load(part, part_match);
    }
  }
}

/// atom and red on vectors: each element is an atomic operation of its own (PTX ISA 9.7.13.5).
void FunctionLowering::lower_vector_atomic(const ptx::Instruction& instruction,
                                           const Match& match) {
  const bool result = instruction.opcode == "atom";
  const auto& operands = instruction.operands;
  const std::size_t at = result ? 1 : 0;
  const bool complete = operands.size() == at + 2 || operands.size() == at + 3;
  const unsigned count = match.form.vector;
  const auto is_vector = [&](const Operand& operand) {
    return operand.kind == OperandKind::vector && operand.elements.size() == count;
  };
  if (!complete || operands[at].kind != OperandKind::address || !is_vector(operands[at + 1]) ||
      (result && operands[0].kind != OperandKind::sink && !is_vector(operands[0]))) {
    refuse("'{}' takes vectors of {} elements and an address", instruction.opcode, count);
  }
  const unsigned bytes = ptx::bits(match.form.type) / 8;
  std::vector<std::pair<const Operand*, std::uint32_t>> results;
  for (unsigned e = 0; e < count; ++e) {
    ptx::Instruction part = instruction;
    std::erase_if(part.modifiers, is_vector_length);
    part.operands[at].offset += e * bytes;
    part.operands[at + 1] = operands[at + 1].elements[e];
    if (result && operands[0].kind == OperandKind::vector) {
      // Not into the program's registers yet: the next element may need what they hold.
      const Operand& to = operands[0].elements[e];
      part.operands[0] = to;
      if (to.kind == OperandKind::reg) {
        check_register(to.id, match.form.type, true);
        part.operands[0].id = new_register(bytes);
        results.emplace_back(&to, part.operands[0].id);
      }
    }
    lower_atomic(part, matcher_.match(part), result);
  }
  for (const auto& [to, from] : results) {
    copy_register(instruction, Ref::reg(to->id), Ref::reg(from), bytes);
  }
}

/// mov.v4 {a, b, c, d}, %tid: special registers as vectors, as the first versions of PTX had them.
void FunctionLowering::lower_vector_mov(const ptx::Instruction& instruction, const Match& match) {
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const unsigned count = match.form.vector, bytes = ptx::bits(match.form.type) / 8;
  if (to.kind != OperandKind::vector || from.kind != OperandKind::vector ||
      to.elements.size() != count || from.elements.size() != count) {
    refuse("'mov.v{}' takes two vectors of {} elements", count, count);
  }
  std::vector<Ref> values;
  for (const Operand& element : from.elements) {
    const Ref copy = scratch(bytes);
    copy_register(instruction, copy, source(element, match.form.type), bytes);
    values.push_back(copy);
  }
  for (unsigned e = 0; e < count; ++e) {
    if (to.elements[e].kind == OperandKind::sink) continue;
    copy_register(instruction, destination(to.elements[e], match.form.type), values[e], bytes);
  }
}

/// .f32x2: the single-precision instruction on either half of 64-bit registers.
void FunctionLowering::lower_single_pair(const ptx::Instruction& instruction, const Match&) {
  const auto& operands = instruction.operands;
  const std::size_t needed = instruction.opcode == "fma" ? 4 : 3;
  if (operands.size() != needed) refuse("'{}' takes {} operands", instruction.opcode, needed);
  ptx::Instruction single = instruction;
  single.modifiers.back() = "f32";
  const Match& match = matcher_.match(single);
  LirInstruction halves[2] = {begin(single, match), begin(single, match)};
  for (std::size_t n = 1; n < needed; ++n) {
    LirInstruction unpack = bare(select_unpack(4, 2), Kind::compute, Class::move);
    unpack.s[0] = source(operands[n], ptx::Type::b64);
    unpack.d = halves[0].s[n - 1] = scratch(4);
    unpack.s[1] = halves[1].s[n - 1] = scratch(4);
    unpack.writes_s[1] = true;
    push(std::move(unpack));
  }
  LirInstruction pack = bare(select_pack(4, 2), Kind::compute, Class::move);
  pack.guard = instruction.guard;
  pack.guard_negated = instruction.guard_negated;
  for (const unsigned half : {0u, 1u}) {
    pack.s[half] = halves[half].d = scratch(4);
    push(std::move(halves[half]));
  }
  pack.d = destination(operands[0], ptx::Type::b64);
  push(std::move(pack));
}

}  // namespace raddle::isa
