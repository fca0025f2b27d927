// Lowering of video instructions (PTX ISA 9.7.17): the parts of words that operands select and
// destinations mask become instructions of their own before and after the operation.
#include <algorithm>
#include <vector>

#include "isa/lower/function_lowering.h"
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

/// .b310 or .h1 as the bits of the elements it names.
std::uint32_t element_mask(std::string_view mask) {
  std::uint32_t bits = 0;
  for (const char digit : mask.substr(1)) {
    bits |= mask[0] == 'b' ? 0xffu << 8 * (digit - '0') : 0xffffu << 16 * (digit - '0');
  }
  return bits;
}

}  // namespace

/// The result, in a new 32-bit register, of an instruction that the program did not write.
Ref FunctionLowering::compute_word(std::string_view opcode, std::vector<std::string_view> modifiers,
                                   const std::array<Ref, 4>& sources, std::int64_t immediate) {
  ptx::Instruction made;
  made.opcode = opcode;
  made.modifiers = std::move(modifiers);
  const Match& match = matcher_.match(made);
  LirInstruction lir = bare(match.execute, Kind::compute, Class::video);
  lir.s = sources;
  lir.out.immediate = immediate;
  lir.d = scratch(4);
  const Ref result = lir.d;
  push(std::move(lir));
  return result;
}

void FunctionLowering::lower_video(const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  const auto required = static_cast<std::size_t>(
      std::count_if(match.row->operands.begin(), match.row->operands.end(),
                    [](const OperandSpec& spec) { return !spec.optional; }));
  if (operands.size() < required || operands.size() > match.row->operands.size()) {
    refuse("'{}' takes {} operands, not {}", instruction.opcode, required, operands.size());
  }
  const char last = instruction.opcode.back();
  if (last == '2' || last == '4') {
    lower_video_simd(instruction, match, last == '2' ? 2 : 4);
  } else {
    lower_video_scalar(instruction, match);
  }
}

/// a or b of a scalar instruction: a word, or the part of it that is selected, extended by type.
Ref FunctionLowering::video_source(Operand operand, ptx::Type type) {
  const std::string_view selector = std::exchange(operand.name, {});
  if (operand.kind != OperandKind::reg || selector.empty()) {
    operand.name = selector;
    return source(operand, ptx::Type::b32);
  }
  if (!selects_one_part(selector)) refuse("'.{}' does not select one part of a word", selector);
  const Part part = part_of(selector);
  return compute_word(
      "bfe", {ptx::name(type)},
      {source(operand, ptx::Type::b32), constant(part.first, 4), constant(part.width, 4)});
}

void FunctionLowering::lower_video_scalar(const ptx::Instruction& instruction, const Match& match) {
  auto operands = instruction.operands;
  const Form& form = match.form;
  const bool multiplies = instruction.opcode == "vmad", sets = instruction.opcode == "vset";
  LirInstruction lir = begin(instruction, match);
  if (multiplies) {
    if (operands[1].negated != operands[2].negated) lir.out.extra |= kVideoNegateProduct;
    if (operands[3].negated) lir.out.extra |= kVideoNegateAddend;
    const bool plus_one = (form.extra & 1) != 0;
    if (lir.out.extra != 0 && plus_one) refuse("'.po' and a negated operand exclude each other");
    for (std::size_t n = 1; n < 4; ++n) operands[n].negated = false;
  }
  lir.s[0] = video_source(operands[1], sets ? form.type : form.type2);
  lir.s[1] = video_source(operands[2], sets ? form.type2 : form.type3);
  if (operands.size() == 4) lir.s[2] = source(operands[3], ptx::Type::b32);
  const std::string_view selector = std::exchange(operands[0].name, {});
  lir.d = destination(operands[0], ptx::Type::b32);
  if (selector.empty()) return push(std::move(lir));

  if (multiplies || form.operation != Operation::none || operands.size() != 4) {
    refuse("a selected destination needs a third source to be merged into, and nothing else");
  }
  if (!selects_one_part(selector)) refuse("'.{}' does not select one part of a word", selector);
  const Part part = part_of(selector);
  LirInstruction merge = lir;
  lir.d = scratch(4);
  Ref result = lir.d;
  push(std::move(lir));
  if (form.sat) {
    const bool is_signed = form.type == ptx::Type::s32;
    const std::uint32_t high = (1u << (part.width - (is_signed ? 1 : 0))) - 1;
    const std::uint32_t low = is_signed ? ~high : 0;
    const std::string_view type = ptx::name(form.type);
    result = compute_word("min", {type}, {result, constant(high, 4)});
    result = compute_word("max", {type}, {result, constant(low, 4)});
  }
  ptx::Instruction insert;
  insert.opcode = "bfi";
  insert.modifiers = {"b32"};
  merge.out.execute = matcher_.match(insert).execute;
  merge.s = {result, merge.s[2], constant(part.first, 4), constant(part.width, 4)};
  push(std::move(merge));
}

void FunctionLowering::lower_video_simd(const ptx::Instruction& instruction, const Match& match,
                                        unsigned elements) {
  auto operands = instruction.operands;
  const char letter = elements == 2 ? 'h' : 'b';
  std::array<std::string_view, 4> selectors;
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
    if (!fits) refuse("'.{}' is not allowed here", selectors[n]);
  }
  std::uint32_t mask = selectors[0].empty() ? kAllBits : element_mask(selectors[0]);
  const Ref a = source(operands[1], ptx::Type::b32), b = source(operands[2], ptx::Type::b32);
  const Ref c = source(operands[3], ptx::Type::b32);
  LirInstruction lir = begin(instruction, match);
  lir.s = {a, b, c};
  for (unsigned n : {0u, 1u}) {
    if (selectors[n + 1].empty()) continue;
    lir.s[n] = compute_word("prmt", {"b32"}, {a, b, constant(permutation(selectors[n + 1]), 4)});
  }
  lir.d = destination(operands[0], ptx::Type::b32);
  if (mask == kAllBits) return push(std::move(lir));
  const bool accumulates = match.form.operation == Operation::add;
  const bool sets = instruction.opcode.starts_with("vset");
  if (accumulates && !sets) {
    // The operations make zero of zeros.
    for (unsigned n : {0u, 1u})
      lir.s[n] = compute_word("and", {"b32"}, {lir.s[n], constant(mask, 4)});
    return push(std::move(lir));
  }
  LirInstruction merge = lir;
  lir.d = scratch(4);
  Ref result = lir.d;
  ptx::Instruction last;
  if (accumulates) {
    ptx::Instruction apart = instruction;
    std::erase(apart.modifiers, "add");
    lir.out.execute = matcher_.match(apart).execute;
    push(std::move(lir));
    result = compute_word("and", {"b32"}, {result, constant(mask, 4)});
    // Elements are 0 or 1: their sum is that of the bytes.
    last.opcode = "dp4a";
    last.modifiers = {"u32", "u32"};
    merge.s = {result, constant(0x01010101, 4), c};
  } else {
    push(std::move(lir));
    last.opcode = "lop3";
    last.modifiers = {"b32"};
    merge.out.immediate = 0xe4;  // bits of the result where the mask is set, of c elsewhere
    merge.s = {result, c, constant(mask, 4)};
  }
  merge.out.execute = matcher_.match(last).execute;
  push(std::move(merge));
}

}  // namespace raddle::isa
