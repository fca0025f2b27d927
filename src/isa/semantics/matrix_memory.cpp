// ldmatrix, stmatrix and movmatrix (PTX ISA 9.7.14.4.15 to 9.7.14.4.17): 8x8 matrices of 16 bits.
// For each matrix, eight lanes hold the addresses of its rows of 16 bytes.
#include <cstring>

#include "isa/block_context.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/matrix.h"
#include "isa/semantics/matrix_fragment.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

constexpr unsigned kSide = 8;
using Matrix = u16[kSide][kSide];

Slot register_of(const Instruction& i, unsigned n) { return n == 0 ? i.d : i.s[n]; }

/// Lane l holds two elements, 2 (l % 4) and the next, of row l / 4, or of column l / 4 when
/// transposed.
template <bool transposed>
u32 word_of(const Matrix& matrix, unsigned lane) {
  const unsigned major = lane / 4, minor = 2 * (lane % 4);
  const u16 low = transposed ? matrix[minor][major] : matrix[major][minor];
  const u16 high = transposed ? matrix[minor + 1][major] : matrix[major][minor + 1];
  return low | u32{high} << 16;
}
template <bool transposed>
void set_word(Matrix& matrix, unsigned lane, u32 word) {
  const unsigned major = lane / 4, minor = 2 * (lane % 4);
  (transposed ? matrix[minor][major] : matrix[major][minor]) = static_cast<u16>(word);
  (transposed ? matrix[minor + 1][major] : matrix[major][minor + 1]) = static_cast<u16>(word >> 16);
}

/// Finds the rows, 8 for each of Instruction::elements matrices. Only the lanes with row addresses
/// access memory.
template <Space space>
bool find_rows(WarpContext& w, const Instruction& i, MemoryAccess::Type type, std::byte** at) {
  if (!whole_warp(w)) return false;
  const unsigned rows = kSide * i.elements;
  w.active = rows == kWarpSize ? kAllLanes : (LaneMask{1} << rows) - 1;
  LaneMask global = 0;
  bool found = resolve_addresses(w, i, space, i.bytes, type, at, &global);
  if (found && w.access.space != MemoryAccess::Space::shared) {
    w.fault = {Fault::Kind::wrong_space, 0, i.bytes, type, w.access.space, w.access.address[0]};
    found = false;
  }
  w.active = kAllLanes;
  return found;
}

template <Space space, bool transposed>
void ldmatrix(WarpContext& w, const Instruction& i) {
  std::byte* at[kWarpSize];
  if (!find_rows<space>(w, i, MemoryAccess::Type::load, at)) return;
  for (unsigned n = 0; n < i.elements; ++n) {
    Matrix matrix;
    for (unsigned row = 0; row < kSide; ++row) {
      std::memcpy(matrix[row], at[kSide * n + row], sizeof matrix[row]);
    }
    u32* d = w.destination<u32>(register_of(i, n));
    for (unsigned l = 0; l < kWarpSize; ++l) d[l] = word_of<transposed>(matrix, l);
  }
}

template <Space space, bool transposed>
void stmatrix(WarpContext& w, const Instruction& i) {
  std::byte* at[kWarpSize];
  if (!find_rows<space>(w, i, MemoryAccess::Type::store, at)) return;
  for (unsigned n = 0; n < i.elements; ++n) {
    Matrix matrix;
    const u32* s = w.source<u32>(register_of(i, n));
    for (unsigned l = 0; l < kWarpSize; ++l) set_word<transposed>(matrix, l, s[l]);
    for (unsigned row = 0; row < kSide; ++row) {
      std::memcpy(at[kSide * n + row], matrix[row], sizeof matrix[row]);
    }
  }
}

}  // namespace

void execute_movmatrix(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  Matrix matrix;
  const u32* s = w.source<u32>(i.s[0]);
  for (unsigned l = 0; l < kWarpSize; ++l) set_word<false>(matrix, l, s[l]);
  u32* d = w.destination<u32>(i.d);
  for (unsigned l = 0; l < kWarpSize; ++l) d[l] = word_of<true>(matrix, l);
}

Execute select_ldmatrix(Space space, bool transposed) {
  switch (space) {
    case Space::shared:
      return transposed ? ldmatrix<Space::shared, true> : ldmatrix<Space::shared, false>;
    case Space::generic:
      return transposed ? ldmatrix<Space::generic, true> : ldmatrix<Space::generic, false>;
    default:
      return nullptr;
  }
}

Execute select_stmatrix(Space space, bool transposed) {
  switch (space) {
    case Space::shared:
      return transposed ? stmatrix<Space::shared, true> : stmatrix<Space::shared, false>;
    case Space::generic:
      return transposed ? stmatrix<Space::generic, true> : stmatrix<Space::generic, false>;
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
