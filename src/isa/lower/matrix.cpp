// Lowering of matrix instructions (PTX ISA 9.7.14). An mma is one decoded instruction with its
// operands listed in a row of constants. A wmma.load or wmma.store is one instruction for each
// block of registers.
#include <algorithm>
#include <array>
#include <charconv>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/matrix.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

using Words = std::vector<std::string_view>;

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<Element> element_from(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Element>, 13> kElements = {{
      {"f16", Element::f16},
      {"bf16", Element::bf16},
      {"tf32", Element::tf32},
      {"f32", Element::f32},
      {"f64", Element::f64},
      {"e4m3", Element::e4m3},
      {"e5m2", Element::e5m2},
      {"s8", Element::s8},
      {"u8", Element::u8},
      {"s4", Element::s4},
      {"u4", Element::u4},
      {"b1", Element::b1},
      {"s32", Element::s32},
  }};
  for (const auto& [name, element] : kElements) {
    if (name == word) return element;
  }
  return std::nullopt;
}

std::vector<Element> elements_of(const Words& words) {
  std::vector<Element> elements;
  for (std::string_view word : words) {
    if (const auto element = element_from(word)) elements.push_back(*element);
  }
  return elements;
}

/// Reads "m16n8k32"; the table admits no other words with this beginning.
MatrixShape shape_from(const Words& words) {
  MatrixShape shape;
  for (std::string_view word : words) {
    const auto n = word.find('n'), k = word.find('k');
    if (word.size() < 6 || word[0] != 'm' || n == word.npos || k == word.npos) continue;
    std::from_chars(word.data() + 1, word.data() + n, shape.m);
    std::from_chars(word.data() + n + 1, word.data() + k, shape.n);
    std::from_chars(word.data() + k + 1, word.data() + word.size(), shape.k);
  }
  return shape;
}

/// Steps of a tensor core for the whole instruction: m16n8, and one register (of four lanes) along
/// k.
std::uint8_t steps(const MatrixShape& shape) {
  return static_cast<std::uint8_t>(std::max(1u, shape.a_registers() * shape.n / (2 * 8)));
}

struct MmaForm {
  MatrixShape shape;
  Element c = Element::f32, d = Element::f32;
};

MmaForm mma_form(const ptx::Instruction& instruction) {
  const Words& words = instruction.modifiers;
  MmaForm form;
  MatrixShape& shape = form.shape = shape_from(words);
  const std::vector<Element> elements = elements_of(words);
  form.d = elements.front();
  form.c = elements.back();
  if (elements.size() == 4) {
    shape.a = elements[1];
    shape.b = elements[2];
  }
  shape.sparse = has(words, "sp") || has(words, "sp::ordered_metadata");
  shape.satfinite = has(words, "satfinite");
  shape.bit_and = has(words, "and");
  const auto layouts = [](std::string_view word) { return word == "row" || word == "col"; };
  const auto first = std::find_if(words.begin(), words.end(), layouts);
  shape.column_a = *first == "col";
  shape.column_b = *std::find_if(first + 1, words.end(), layouts) == "col";
  return form;
}

/// Selectors of mma.sp: sets of threads that can hold all metadata.
unsigned selectors(const MatrixShape& shape) {
  const unsigned bits = element_bits(shape.a);
  return bits >= 16 ? 1024 / (shape.k * bits) : 512 / (shape.k * bits);
}

/// A block of a fragment: its registers, and its first row and column in the matrix.
struct BlockPlace {
  unsigned first_register, row, column;
};

/// The fragment of wmma's matrix `which` (a, b, c, d), in the order of its registers. B is
/// transposed: its rows are columns of the program's matrix.
struct FragmentForm {
  Element element = Element::f16;
  bool pair = false;
  unsigned rows = 0, columns = 0;
  std::vector<BlockPlace> blocks;
};

FragmentForm fragment_form(char which, const MatrixShape& shape, Element element) {
  FragmentForm form;
  form.element = element;
  const bool result = which == 'c' || which == 'd';
  form.rows = which == 'b' ? shape.n : shape.m;
  form.columns = result ? shape.n : shape.k;
  form.pair = result && element != Element::f16;
  const unsigned bits = element_bits(element);
  const unsigned width = result ? 8 : 4 * std::max(1u, 32 / bits);  // of a block, in elements
  const unsigned tile_rows = which == 'b' ? 8 : std::min<unsigned>(shape.m, 16);
  unsigned next = 0;
  for (unsigned tile = 0; tile < form.rows; tile += tile_rows) {
    for (unsigned column = 0; column < form.columns; column += width) {
      for (unsigned row = tile; row < tile + tile_rows; row += 8) {
        form.blocks.push_back({next, row, column});
        next += form.pair ? 2 : 1;
      }
    }
  }
  return form;
}

}  // namespace

namespace {

/// `wmma`: fragments of f16 always have 8 registers, even where fewer would do.
void lower_product(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                   bool wmma) {
  MmaForm form = mma_form(instruction);
  MatrixShape& shape = form.shape;
  const auto& operands = instruction.operands;
  const std::size_t needed = shape.sparse ? 6 : 4;
  lower.expect_operands(instruction, needed);
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = select_mma(shape, form.d, form.c, match.form.rounding);
  if (lir.out.execute == nullptr) lower.refuse("these types are not allowed together");
  // m8n8k4 of f16: four products, of two registers a factor.
  const bool quad_pairs = shape.a == Element::f16 && shape.k == 4;
  const bool wmma_half = wmma && shape.a == Element::f16;
  const auto type_of = [](Element element) {
    return element == Element::f64   ? ptx::Type::f64
           : element == Element::f32 ? ptx::Type::f32
                                     : ptx::Type::b32;
  };
  // Factors of wmma have a class (float or integer), those of mma do not.
  const ptx::Type factor = element_bits(shape.a) != 64 ? ptx::Type::b32
                           : wmma                      ? ptx::Type::f64
                                                       : ptx::Type::b64;
  const ptx::Type types[] = {type_of(form.d), factor, factor, type_of(form.c)};
  const auto list = [&](std::size_t n, unsigned given, unsigned used) {
    if (operands[n].kind != OperandKind::vector)
      lower.refuse("operand {} is a list of registers in braces", n + 1);
    std::vector<Operand> elements = lower.operands.registers(operands[n], given);
    if (n == 0) lower.operands.expect_result(elements);
    elements.resize(used);
    const bool bytes = shape.a == Element::e4m3 || shape.a == Element::e5m2;
    for (const Operand& element : elements) {
      if (n == 0 && bytes) lower.operands.destination(element, types[n]);  // no `_`
      lir.list.push_back(n == 0 ? lower.operands.destination_or_sink(element, types[n])
                         : given == 1 && !wmma ? lower.operands.register_of(element, types[n])
                                               : lower.operands.source(element, types[n]));
    }
    if (n == 0) lir.list_writes = used;
  };
  const unsigned a = quad_pairs ? 2 : shape.a_registers(), b = quad_pairs ? 2 : shape.b_registers();
  const unsigned four = quad_pairs ? 4 : 1;
  list(0, four * shape.c_registers(form.d), four * shape.c_registers(form.d));
  list(1, wmma_half ? 8 : a, a);
  list(2, wmma_half ? 8 : b, b);
  list(3, four * shape.c_registers(form.c), four * shape.c_registers(form.c));
  if (shape.sparse) {
    lir.list.push_back(lower.operands.register_of(operands[4], ptx::Type::b32));
    const std::int64_t selector = lower.operands.integer_constant(operands[5]);
    if (selector < 0 || selector >= selectors(shape)) {
      lower.refuse("the sparsity selector is at most {}", selectors(shape) - 1);
    }
    shape.selector = static_cast<std::uint8_t>(selector & 3);
  }
  lir.s[0] = lower.constants.list_row();
  lir.s[3] = lower.constants.constant(kAllLanes, 4);
  lir.out.immediate = shape.packed();
  lir.out.elements = quad_pairs ? 1 : steps(shape);
  lower.code.push(std::move(lir));
}

/// Copies eight rows of each matrix from or to shared memory.
void lower_matrix_rows(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                       bool store) {
  const auto& operands = instruction.operands;
  lower.expect_operands(instruction, 2);
  const Words& words = instruction.modifiers;
  const unsigned count = has(words, "x4") ? 4 : has(words, "x2") ? 2 : 1;
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, operands[store ? 0 : 1], match.form.space);
  const bool transposed = has(words, "trans");
  lir.out.execute = store ? select_stmatrix(space, transposed) : select_ldmatrix(space, transposed);
  if (lir.out.execute == nullptr) lower.refuse("'{}' works on shared memory", instruction.opcode);
  const Operand& listed = operands[store ? 1 : 0];
  if (listed.kind != OperandKind::vector) lower.refuse("the registers are listed in braces");
  const std::vector<Operand> registers = lower.operands.registers(listed, count);
  if (!store) lower.operands.expect_result(registers);
  // With several registers, ptxas also takes constants.
  const auto stored = [&](const Operand& one) {
    return count > 1 ? lower.operands.source(one, ptx::Type::b32)
                     : lower.operands.register_of(one, ptx::Type::b32);
  };
  for (unsigned n = 0; n < count; ++n) {
    (n == 0 ? lir.d : lir.s[n]) =
        store       ? stored(registers[n])
        : count > 1 ? lower.operands.destination_or_sink(registers[n], ptx::Type::b32)
                    : lower.operands.destination(registers[n], ptx::Type::b32);
    if (n != 0) lir.writes_s[n] = !store;
  }
  lir.reads_d = store;
  using Access = MemoryBehaviour::Access;
  lir.memory.access = store ? Access::store : Access::load;
  lir.out.elements = static_cast<std::uint8_t>(count);
  lir.out.bytes = 16;
  lower.code.push(std::move(lir));
}

}  // namespace

void lower_mma(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_product(lower, instruction, match, false);
}

void lower_wmma(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_product(lower, instruction, match, true);
}

void lower_ldmatrix(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_matrix_rows(lower, instruction, match, false);
}

void lower_stmatrix(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_matrix_rows(lower, instruction, match, true);
}

void lower_movmatrix(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 2) lower.refuse("movmatrix takes 2 operands");
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_movmatrix;
  lir.d = lower.operands.destination(instruction.operands[0], ptx::Type::b32);
  lir.s[0] = lower.operands.register_of(instruction.operands[1], ptx::Type::b32);
  lir.s[3] = lower.constants.constant(kAllLanes, 4);
  lower.code.push(std::move(lir));
}

namespace {

/// Copies address and stride when the first of several loads may overwrite them.
void keep_operands(Lowering& lower, const ptx::Instruction& instruction,
                   const std::vector<Operand>& registers, LirInstruction& lir) {
  for (Ref* ref : {&lir.s[0], &lir.s[1]}) {
    const bool overwritten =
        ref->kind == Ref::Kind::reg &&
        std::any_of(registers.begin(), registers.end(), [&](const Operand& operand) {
          return operand.kind == OperandKind::reg && operand.id == ref->id;
        });
    if (!overwritten) continue;
    const Ref copy = lower.code.scratch(lower.code.bytes(ref->id));
    lower.copy_register(instruction, copy, *ref, lower.code.bytes(ref->id));
    *ref = copy;
  }
}

/// wmma.load.{a|b|c} r, [p]{, stride} and wmma.store.d [p], r{, stride}.
void lower_fragment(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                    bool store) {
  const Words& words = instruction.modifiers;
  const char which = store ? 'd' : has(words, "a") ? 'a' : has(words, "b") ? 'b' : 'c';
  auto operands = instruction.operands;
  if (operands.size() != 2 && operands.size() != 3)
    lower.refuse("'{}' takes 2 or 3 operands", instruction.opcode);
  if (store) std::swap(operands[0], operands[1]);
  const Element element = elements_of(words).front();
  const FragmentForm form = fragment_form(which, shape_from(words), element);
  const bool row_major = has(words, "row");
  const bool transposed = which == 'b' ? row_major : !row_major;

  LirInstruction whole = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(whole, operands[1], match.form.space);
  if (operands.size() == 3) lower.operands.check_no_pair(operands[2], ptx::Type::u32);
  whole.s[1] = operands.size() == 3
                   ? lower.operands.source(operands[2], ptx::Type::u32)
                   : lower.constants.constant(transposed ? form.rows : form.columns, 4);
  const FragmentBlock block = {element, form.pair, transposed};
  whole.out.execute = store ? select_wmma_store(space, block) : select_wmma_load(space, block);
  if (whole.out.execute == nullptr) lower.refuse("wmma works on global and shared memory");
  const unsigned bytes = element_bits(element) == 64 ? 8 : 4;
  const ptx::Type type = bytes == 8                ? ptx::Type::f64
                         : element == Element::f32 ? ptx::Type::f32
                                                   : ptx::Type::b32;
  if (operands[0].kind != OperandKind::vector)
    lower.refuse("the registers of the matrix are a list in braces");
  whole.out.bytes = static_cast<std::uint8_t>(form.pair ? 2 * bytes : bytes);
  whole.reads_d = store;
  using Access = MemoryBehaviour::Access;
  whole.memory.access = store ? Access::store : Access::load;
  if (space == ptx::Space::shared) whole.out.klass = Class::shared_memory;

  const unsigned used = static_cast<unsigned>(form.blocks.size()) * (form.pair ? 2 : 1);
  const bool half_factor = element == Element::f16 && (which == 'a' || which == 'b');
  const std::vector<Operand> registers =
      lower.operands.registers(operands[0], half_factor ? 8 : used);
  for (const Operand& one : registers) {
    if (one.kind == OperandKind::sink) lower.refuse.unsupported("'_' for a register of a fragment");
  }
  if (!store) keep_operands(lower, instruction, registers, whole);
  for (const BlockPlace& place : form.blocks) {
    LirInstruction lir = whole;
    lir.out.target = place.row;
    lir.out.reconverge = place.column;
    for (unsigned n = 0; n < (form.pair ? 2u : 1u); ++n) {
      const Operand& element_register = registers[place.first_register + n];
      (n == 0 ? lir.d : lir.s[2]) = store ? lower.operands.source(element_register, type)
                                          : lower.operands.destination(element_register, type);
    }
    lir.writes_s[2] = form.pair && !store;
    // Fragments of f16 always have 8 registers. The unused ones are copies, of which one
    // instruction makes two.
    std::size_t copy = place.first_register + used;
    for (unsigned n = 2; n < 4 && copy < registers.size(); ++n, copy += used) {
      lir.s[n] = lower.operands.destination(registers[copy], type);
      lir.writes_s[n] = true;
      lir.out.elements = static_cast<std::uint8_t>(n);
    }
    lower.code.push(std::move(lir));
  }
  for (std::size_t n = 3 * used; n < registers.size(); ++n) {
    lower.copy_register(instruction, lower.operands.destination(registers[n], type),
                        lower.operands.source_bytes(registers[n % used], bytes), bytes);
  }
}

}  // namespace

void lower_wmma_load(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_fragment(lower, instruction, match, false);
}

void lower_wmma_store(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_fragment(lower, instruction, match, true);
}

}  // namespace raddle::isa
