// Lowering of video instructions (PTX ISA 9.7.17). Selecting parts of source words and masking the
// destination become instructions of their own, before and after the operation.
#include <algorithm>
#include <vector>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/integer.h"
#include "isa/semantics/logic.h"
#include "isa/semantics/video.h"

namespace raddle::isa {
namespace {

constexpr std::uint32_t kAllBits = ~std::uint32_t{0};

/// b0 to b3, h0 and h1 as first bit and width.
struct Part {
  unsigned first = 0, width = 32;
};

Part part_of(std::string_view selector) {
  const auto number = static_cast<unsigned>(selector[1] - '0');
  return selector[0] == 'b' ? Part{8 * number, 8} : Part{16 * number, 16};
}

bool selects_one_part(std::string_view selector) {
  return selector.size() == 2 && selector[1] - '0' < (selector[0] == 'b' ? 4 : 2);
}

/// .b7654 or .h32 as the selector of prmt: which byte of a (0 to 3) or b (4 to 7) each byte is.
std::uint32_t permutation(std::string_view selector) {
  std::uint32_t bytes = 0;
  for (const char digit : selector.substr(1)) {
    const auto n = static_cast<std::uint32_t>(digit - '0');
    bytes = selector[0] == 'b' ? bytes << 4 | n : bytes << 8 | (2 * n + 1) << 4 | 2 * n;
  }
  return bytes;
}

/// .b310 or .h1 as the bits of the elements that it names.
std::uint32_t element_mask(std::string_view mask) {
  std::uint32_t bits = 0;
  for (const char digit : mask.substr(1)) {
    bits |= mask[0] == 'b' ? 0xffu << 8 * (digit - '0') : 0xffffu << 16 * (digit - '0');
  }
  return bits;
}

Form form_of(ptx::Type type) {
  Form form;
  form.type = type;
  return form;
}

/// Adds an instruction that is not in the program; its result is a new 32-bit register.
Ref compute_word(Lowering& lower, Execute execute, const std::array<Ref, 4>& sources) {
  LirInstruction lir = lower.add(execute, Kind::compute, Class::video);
  lir.s = sources;
  const Ref result = lir.d = lower.code.scratch(4);
  lower.code.push(std::move(lir));
  return result;
}

void check_count(const Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const std::size_t count = instruction.operands.size(), required = match.row->required;
  if (count < required || count > match.row->operands.size()) {
    lower.refuse("'{}' takes {} operands, not {}", instruction.opcode, required, count);
  }
}

/// a or b of a scalar instruction: a word, or the selected part of it, extended by type.
Ref video_source(Lowering& lower, Operand operand, ptx::Type type) {
  const std::string_view selector = std::exchange(operand.name, {});
  if (operand.kind != OperandKind::reg || selector.empty()) {
    operand.name = selector;
    return lower.operands.source(operand, ptx::Type::u32);
  }
  if (!selects_one_part(selector)) {
    lower.refuse("'.{}' does not select one part of a word", selector);
  }
  const Part part = part_of(selector);
  return compute_word(
      lower, select_bfe(form_of(type)),
      {lower.operands.source(operand, ptx::Type::u32), lower.constants.constant(part.first, 4),
       lower.constants.constant(part.width, 4)});
}

/// The result clamped to the range of a part of the destination.
Ref saturate(Lowering& lower, Ref result, ptx::Type type, unsigned width) {
  const bool is_signed = type == ptx::Type::s32;
  const std::uint32_t high = (1u << (width - (is_signed ? 1 : 0))) - 1;
  const std::uint32_t low = is_signed ? ~high : 0;
  const Form form = form_of(type);
  result = compute_word(lower, select_min(form), {result, lower.constants.constant(high, 4)});
  return compute_word(lower, select_max(form), {result, lower.constants.constant(low, 4)});
}

/// `a`, `b`: the types of the sources. `merges`: a part of the destination may be selected.
void lower_scalar(Lowering& lower, std::vector<Operand> operands, const Match& match,
                  LirInstruction lir, ptx::Type a, ptx::Type b, bool merges) {
  const Form& form = match.form;
  lir.s[0] = video_source(lower, operands[1], a);
  lir.s[1] = video_source(lower, operands[2], b);
  if (operands.size() == 4 && !operands[3].name.empty() && operands[3].kind == OperandKind::reg)
    lower.refuse("'.{}': the third source is a whole word", operands[3].name);
  if (operands.size() == 4) lir.s[2] = lower.operands.source(operands[3], ptx::Type::u32);
  const std::string_view selector = std::exchange(operands[0].name, {});
  lir.d = lower.operands.destination(operands[0], ptx::Type::u32);
  if (selector.empty()) {
    lower.code.push(std::move(lir));
    return;
  }
  if (!merges || form.operation != Operation::none || operands.size() != 4) {
    lower.refuse("a selected destination needs a third source to be merged into, and nothing else");
  }
  if (!selects_one_part(selector)) {
    lower.refuse("'.{}' does not select one part of a word", selector);
  }
  const Part part = part_of(selector);
  LirInstruction merge = lir;
  Ref result = lir.d = lower.code.scratch(4);
  lower.code.push(std::move(lir));
  if (form.sat) result = saturate(lower, result, form.type, part.width);
  merge.out.execute = select_bfi(form_of(ptx::Type::b32));
  merge.s = {result, merge.s[2], lower.constants.constant(part.first, 4),
             lower.constants.constant(part.width, 4)};
  lower.code.push(std::move(merge));
}

using Selectors = std::array<std::string_view, 4>;

/// Removes the selectors from the operands of an instruction on 2 or 4 elements, and returns them.
Selectors take_selectors(const Lowering& lower, std::vector<Operand>& operands, unsigned elements) {
  const char letter = elements == 2 ? 'h' : 'b';
  Selectors selectors;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    if (operands[n].kind != OperandKind::reg) continue;
    selectors[n] = std::exchange(operands[n].name, {});
    const bool is_source = n == 1 || n == 2;
    if (selectors[n].empty()) continue;
    const std::size_t digits = selectors[n].size() - 1;
    bool fits = selectors[n][0] == letter && n != 3 &&
                (is_source ? digits == elements : digits <= elements);
    for (std::size_t i = 1; i <= digits; ++i) {
      const auto number = static_cast<unsigned>(selectors[n][i] - '0');
      fits &= number < (is_source ? 2 * elements : elements);
      // Masks name each element once, the highest first.
      fits &= is_source || i == 1 || selectors[n][i] < selectors[n][i - 1];
    }
    if (!fits) lower.refuse("'.{}' is not allowed here", selectors[n]);
  }
  return selectors;
}

/// Adds up the elements of the result that `mask` names; the elements are 0 or 1.
void add_masked(Lowering& lower, const Match& match, LirInstruction lir, std::uint32_t mask) {
  const Ref c = lir.s[2];
  LirInstruction sum = lir;
  const Ref word = lir.d = lower.code.scratch(4);
  Form apart = match.form;
  apart.operation = Operation::none;
  lir.out.execute = match.row->row->select(apart);
  lower.code.push(std::move(lir));
  const Form bits = form_of(ptx::Type::b32);
  const Ref kept = compute_word(lower, select_and(bits), {word, lower.constants.constant(mask, 4)});
  // Each element is 0 or 1, so the sum of the bytes is the sum of the elements.
  Form bytes = form_of(ptx::Type::u32);
  bytes.type2 = ptx::Type::u32;
  sum.s = {kept, lower.constants.constant(0x01010101, 4), c};
  sum.out.execute = select_dp4a(bytes);
  lower.code.push(std::move(sum));
}

/// Takes the elements that `mask` names from the result, the others from c.
void merge_masked(Lowering& lower, LirInstruction lir, std::uint32_t mask) {
  const Ref c = lir.s[2];
  LirInstruction merge = lir;
  const Ref result = lir.d = lower.code.scratch(4);
  lower.code.push(std::move(lir));
  merge.out.immediate = 0xe4;  // bits of the result where the mask is set, of c elsewhere
  merge.s = {result, c, lower.constants.constant(mask, 4)};
  merge.out.execute = select_lop3(form_of(ptx::Type::b32));
  lower.code.push(std::move(merge));
}

/// `sets`: elements of the result are 0 or 1.
void lower_simd(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                unsigned elements, bool sets) {
  check_count(lower, instruction, match);
  auto operands = instruction.operands;
  const Selectors selectors = take_selectors(lower, operands, elements);
  const std::uint32_t mask = selectors[0].empty() ? kAllBits : element_mask(selectors[0]);
  const Ref a = lower.operands.register_of(operands[1], ptx::Type::u32);
  const Ref b = lower.operands.register_of(operands[2], ptx::Type::u32);
  const Ref c = lower.operands.register_of(operands[3], ptx::Type::u32);
  LirInstruction lir = lower.begin(instruction, match);
  lir.s = {a, b, c};
  const Form bits = form_of(ptx::Type::b32);
  for (unsigned n : {0u, 1u}) {
    if (selectors[n + 1].empty()) continue;
    const std::uint32_t order = permutation(selectors[n + 1]);
    lir.s[n] = compute_word(lower, select_prmt(bits), {a, b, lower.constants.constant(order, 4)});
  }
  lir.d = lower.operands.destination(operands[0], ptx::Type::u32);
  const bool accumulates = match.form.operation == Operation::add;
  if (mask == kAllBits) {
    lower.code.push(std::move(lir));
  } else if (!accumulates) {
    merge_masked(lower, std::move(lir), mask);
  } else if (sets) {
    add_masked(lower, match, std::move(lir), mask);
  } else {
    // The operations give zero for zeros.
    for (unsigned n : {0u, 1u}) {
      lir.s[n] =
          compute_word(lower, select_and(bits), {lir.s[n], lower.constants.constant(mask, 4)});
    }
    lower.code.push(std::move(lir));
  }
}

}  // namespace

void lower_video_scalar(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_count(lower, instruction, match);
  lower_scalar(lower, instruction.operands, match, lower.begin(instruction, match),
               match.form.type2, match.form.type3, true);
}

/// vset and similar instructions have no type for their result.
static void check_set_operands(const Lowering& lower, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  lower.operands.check_no_pair(operands[0], ptx::Type::u32);
  if (operands.size() == 4) lower.operands.check_no_pair(operands[3], ptx::Type::u32);
}

void lower_video_set(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_count(lower, instruction, match);
  check_set_operands(lower, instruction);
  lower_scalar(lower, instruction.operands, match, lower.begin(instruction, match), match.form.type,
               match.form.type2, true);
}

void lower_video_mad(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_count(lower, instruction, match);
  auto operands = instruction.operands;
  LirInstruction lir = lower.begin(instruction, match);
  if (operands[1].negated != operands[2].negated && operands[3].negated)
    lower.refuse("either the product or the addend is negated, not both");
  if (operands[1].negated != operands[2].negated) lir.out.extra |= kVideoNegateProduct;
  if (operands[3].negated) lir.out.extra |= kVideoNegateAddend;
  const bool plus_one = (match.form.extra & 1) != 0;
  if (lir.out.extra != 0 && plus_one) {
    lower.refuse("'.po' and a negated operand exclude each other");
  }
  for (std::size_t n = 1; n < 4; ++n) operands[n].negated = false;
  lower_scalar(lower, operands, match, std::move(lir), match.form.type2, match.form.type3, false);
}

void lower_video_halves(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_simd(lower, instruction, match, 2, false);
}

void lower_video_bytes(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_simd(lower, instruction, match, 4, false);
}

void lower_video_set_halves(Lowering& lower, const ptx::Instruction& instruction,
                            const Match& match) {
  check_count(lower, instruction, match);
  check_set_operands(lower, instruction);
  lower_simd(lower, instruction, match, 2, true);
}

void lower_video_set_bytes(Lowering& lower, const ptx::Instruction& instruction,
                           const Match& match) {
  check_count(lower, instruction, match);
  check_set_operands(lower, instruction);
  lower_simd(lower, instruction, match, 4, true);
}

}  // namespace raddle::isa
