// wmma.load and wmma.store (PTX ISA 9.7.14.3.3, 9.7.14.3.4), block by block: see FragmentBlock.
//
// A block is eight rows of one register (or two) a lane: four words across. When the matrix lies
// transposed in memory, lanes access words along its columns and exchange elements, as hardware
// does.
#include <bit>
#include <cstring>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/matrix.h"
#include "isa/semantics/matrix_fragment.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/store_order.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// `bits`: bits of an element. `count`: elements a lane.
template <unsigned bits, unsigned count>
struct Block {
  static constexpr unsigned kRows = 8, kColumns = 4 * count;
  static constexpr unsigned kBytes = bits * count / 8;
};

/// Row and column within the block of the first element in lane l's word in memory.
template <class Block, unsigned count, bool transposed>
std::pair<unsigned, unsigned> word_place(unsigned l) {
  if constexpr (!transposed) return {l / 4, l % 4 * count};
  constexpr unsigned words_a_column = Block::kRows / count;
  return {l % words_a_column * count, l / words_a_column};
}

template <unsigned bits, unsigned count, bool transposed>
bool find_words(WarpContext& w, const Instruction& i, Space space, MemoryAccess::Type type,
                std::byte** at, LaneMask* global) {
  using B = Block<bits, count>;
  if (!whole_warp(w)) return false;
  compute_addresses(w, i);
  const u32* stride = w.source<u32>(i.s[1]);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto [row, column] = word_place<B, count, transposed>(l);
    const u64 major = transposed ? i.reconverge + column : i.target + row;
    const u64 minor = transposed ? i.target + row : i.reconverge + column;
    w.access.address[l] += (major * stride[l] + minor) * bits / 8;
  }
  // Rows of words may begin at any element.
  constexpr unsigned kAlignment = bits < 8 ? B::kBytes : bits / 8;
  return resolve_computed(w, i, space, kAlignment, type, at, global);
}

/// Moves the elements of a block that is transposed in memory to their lanes, or back. An element
/// is a part of the bytes that a lane has in memory.
template <unsigned bits, unsigned count, bool to_lanes>
void exchange(const std::byte (*from)[16], std::byte (*to)[16]) {
  using B = Block<bits, count>;
  constexpr unsigned kSize = bits / 8;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto [row, column] = word_place<B, count, true>(l);
    for (unsigned n = 0; n < count; ++n) {
      const unsigned owner = 4 * (row + n) + column / count, part = column % count;
      if constexpr (to_lanes) {
        std::memcpy(&to[owner][kSize * part], &from[l][kSize * n], kSize);
      } else {
        std::memcpy(&to[l][kSize * n], &from[owner][kSize * part], kSize);
      }
    }
  }
}

template <class Word, unsigned words, class F>
void for_registers(const Instruction& i, F f) {
  for (unsigned n = 0; n < words; ++n) f(n == 0 ? i.d : i.s[2], n * sizeof(Word));
}

/// Only f64 has registers of 64 bits.
template <unsigned bits>
using Word = std::conditional_t<bits == 64, u64, u32>;

template <Space space, unsigned bits, unsigned count, bool transposed>
void load(WarpContext& w, const Instruction& i) {
  constexpr unsigned kBytes = Block<bits, count>::kBytes, kWords = kBytes / sizeof(Word<bits>);
  std::byte* at[kWarpSize];
  LaneMask global;
  if (!find_words<bits, count, transposed>(w, i, space, MemoryAccess::Type::load, at, &global)) {
    return;
  }
  std::byte values[kWarpSize][16], exchanged[kWarpSize][16];
  for (unsigned l = 0; l < kWarpSize; ++l) std::memcpy(values[l], at[l], kBytes);
  if constexpr (transposed) exchange<bits, count, true>(values, exchanged);
  for_registers<Word<bits>, kWords>(i, [&](Slot slot, unsigned offset) {
    auto* d = w.destination<Word<bits>>(slot);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      std::memcpy(&d[l], &(transposed ? exchanged : values)[l][offset], sizeof *d);
    }
  });
  for (unsigned copy = 1; copy < i.elements; ++copy) {
    std::memcpy(w.destination<u32>(i.s[1 + copy]), w.source<u32>(i.d), kRowBytes);
  }
}

template <Space space, unsigned bits, unsigned count, bool transposed>
void store(WarpContext& w, const Instruction& i) {
  constexpr unsigned kBytes = Block<bits, count>::kBytes, kWords = kBytes / sizeof(Word<bits>);
  std::byte* at[kWarpSize];
  LaneMask global;
  if (!find_words<bits, count, transposed>(w, i, space, MemoryAccess::Type::store, at, &global)) {
    return;
  }
  std::byte values[kWarpSize][16] = {}, exchanged[kWarpSize][16] = {};
  for_registers<Word<bits>, kWords>(i, [&](Slot slot, unsigned offset) {
    const auto* s = w.source<Word<bits>>(slot);
    for (unsigned l = 0; l < kWarpSize; ++l) std::memcpy(&values[l][offset], &s[l], sizeof *s);
  });
  if constexpr (transposed) exchange<bits, count, false>(values, exchanged);
  const auto& stored = transposed ? exchanged : values;
  for_storing_lanes<lanes_per_pass(kBytes)>(
      ~global, [&](unsigned l) { std::memcpy(at[l], stored[l], kBytes); });
  if (global == 0) return;
  GlobalUpdate& update = w.global->next_update();
  for (unsigned l = 0; l < kWarpSize; ++l) {
    std::memcpy(&update.a[l], stored[l], 8);
    std::memcpy(&update.b[l], stored[l] + 8, 8);
  }
  update.lanes = global;
  update.carry_out = carry_out_store<kBytes>;
  std::memcpy(update.at, at, sizeof update.at);
  w.global->commit();
}

template <bool is_load, unsigned bits, unsigned count, bool transposed>
Execute in_space(Space space) {
  switch (space) {
    case Space::global:
      return is_load ? load<Space::global, bits, count, transposed>
                     : store<Space::global, bits, count, transposed>;
    case Space::shared:
      return is_load ? load<Space::shared, bits, count, transposed>
                     : store<Space::shared, bits, count, transposed>;
    case Space::generic:
      return is_load ? load<Space::generic, bits, count, transposed>
                     : store<Space::generic, bits, count, transposed>;
    default:
      return nullptr;
  }
}

template <bool is_load, unsigned bits, unsigned count>
Execute in_order(Space space, bool transposed) {
  if (!transposed) return in_space<is_load, bits, count, false>(space);
  if constexpr (bits >= 8) return in_space<is_load, bits, count, true>(space);
  return nullptr;
}

template <bool is_load>
Execute select(Space space, const FragmentBlock& block) {
  switch (element_bits(block.element)) {
    case 64:
      return block.pair ? in_order<is_load, 64, 2>(space, block.transposed)
                        : in_order<is_load, 64, 1>(space, block.transposed);
    case 32:
      return block.pair ? in_order<is_load, 32, 2>(space, block.transposed)
                        : in_order<is_load, 32, 1>(space, block.transposed);
    case 16:
      return in_order<is_load, 16, 2>(space, block.transposed);
    case 8:
      return in_order<is_load, 8, 4>(space, block.transposed);
    case 4:
      return in_order<is_load, 4, 8>(space, block.transposed);
    default:
      return in_order<is_load, 1, 32>(space, block.transposed);
  }
}

}  // namespace

Execute select_wmma_load(Space space, const FragmentBlock& block) {
  return select<true>(space, block);
}
Execute select_wmma_store(Space space, const FragmentBlock& block) {
  return select<false>(space, block);
}

}  // namespace raddle::isa
