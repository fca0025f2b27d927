// Where the elements of matrices are in the registers of a warp (PTX ISA 9.7.14.4, the figures
// "MMA .m16n8k... fragment layout"). All shapes but m8n8k4 of f16 follow one rule. Lane l is thread
// t = l % 4 of group g = l / 4, and a register of A or B holds e consecutive elements along k:
//   A  register r: row g + 8 (r % 2), columns (4 (r / 2) + t) e + 0 ... e - 1   (m = 8: r / 1)
//   B  register r: column g, rows (4 r + t) e + 0 ... e - 1
//   C  element r: row g + 8 (r / 2), column 2 t + r % 2; two f16 share a register
// A wmma fragment is a sequence of such tiles of m16n8 (m8n8): A in rows, B in columns, C row after
// row. PTX leaves that open; it is what Turing and later do.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "isa/semantics/matrix.h"
#include "isa/warp_context.h"

namespace raddle::isa {

inline constexpr unsigned kTileColumns = 8, kMostTileRows = 16;

/// The registers that s[0] lists: see select_mma(). Results are kept until commit(), because they
/// may share registers with operands of parts that are computed later.
class MatrixOperands {
 public:
  MatrixOperands(WarpContext& w, const Instruction& i) : w_(w), slots_(w.source<Slot>(i.s[0])) {}
  template <class T>
  const T* source(unsigned n) const {
    return w_.source<T>(slots_[n]);
  }
  template <class T>
  T* result(unsigned n) {
    return reinterpret_cast<T*>(results_ + n * kWarpSize * sizeof(T));
  }
  /// Writes the first `count` registers of results, of type T.
  template <class T>
  void commit(unsigned count) {
    for (unsigned n = 0; n < count; ++n) {
      std::memcpy(w_.destination<T>(slots_[n]), result<T>(n), kWarpSize * sizeof(T));
    }
  }

 private:
  static constexpr unsigned kMostResults = 8;  // of 32 bits, or half as many of 64
  WarpContext& w_;
  const Slot* slots_;
  alignas(64) std::byte results_[kMostResults * kRowBytes];
};

/// One m16n8 or m8n8 part of an instruction: the positions of its operands in the list.
struct MatrixTile {
  unsigned rows = 16;
  unsigned a = 0, b = 0, c = 0, d = 0;
};

/// Calls f(tile) for each tile of the instruction.
template <class F>
void for_tiles(const MatrixShape& shape, Element c_element, Element d_element, F f) {
  const unsigned tile_rows = shape.m < kMostTileRows ? 8 : kMostTileRows;
  const unsigned down = shape.m / tile_rows, across = shape.n / kTileColumns;
  const unsigned a_each = shape.a_registers() / down, b_each = shape.b_registers() / across;
  const unsigned c_each = shape.c_registers(c_element) / (down * across);
  const unsigned d_each = shape.c_registers(d_element) / (down * across);
  const unsigned a_first = shape.c_registers(d_element);
  const unsigned b_first = a_first + shape.a_registers();
  const unsigned c_first = b_first + shape.b_registers();
  for (unsigned row = 0; row < down; ++row) {
    for (unsigned column = 0; column < across; ++column) {
      const unsigned n = row * across + column;
      f(MatrixTile{tile_rows, a_first + row * a_each, b_first + column * b_each,
                   c_first + n * c_each, n * d_each});
    }
  }
}

/// Calls f(row, column, word) for each register word of A: `column` counts words.
template <class Word, class F>
[[gnu::always_inline]] inline void for_words_of_a(const MatrixOperands& operands,
                                                  const MatrixTile& tile, unsigned registers, F f) {
  const unsigned halves = tile.rows / 8;
  for (unsigned r = 0; r < registers; ++r) {
    const Word* words = operands.source<Word>(tile.a + r);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      f(l / 4 + 8 * (r % halves), 4 * (r / halves) + l % 4, words[l]);
    }
  }
}

/// Calls f(row, column, word) for each register word of B: `row` counts words.
template <class Word, class F>
[[gnu::always_inline]] inline void for_words_of_b(const MatrixOperands& operands,
                                                  const MatrixTile& tile, unsigned registers, F f) {
  for (unsigned r = 0; r < registers; ++r) {
    const Word* words = operands.source<Word>(tile.b + r);
    for (unsigned l = 0; l < kWarpSize; ++l) f(4 * r + l % 4, l / 4, words[l]);
  }
}

/// The accumulators, [row][column]; f gets the word of a single element or, for f16, one half of
/// it.
template <class Word, class T, class F>
[[gnu::always_inline]] inline void gather_c(const MatrixOperands& operands, unsigned first,
                                            unsigned rows, T (*c)[kTileColumns], F f) {
  for (unsigned r = 0; r < rows / 4; ++r) {
    const Word* words = operands.source<Word>(first + r);
    for (unsigned l = 0; l < kWarpSize; ++l)
      c[l / 4 + 8 * (r / 2)][2 * (l % 4) + r % 2] = f(words[l]);
  }
}
template <class T, class F>
[[gnu::always_inline]] inline void gather_half_c(const MatrixOperands& operands, unsigned first,
                                                 unsigned rows, T (*c)[kTileColumns], F f) {
  for (unsigned r = 0; r < rows / 8; ++r) {
    const auto* words = operands.source<std::uint32_t>(first + r);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      T* pair = &c[l / 4 + 8 * r][2 * (l % 4)];
      pair[0] = f(static_cast<std::uint16_t>(words[l]));
      pair[1] = f(static_cast<std::uint16_t>(words[l] >> 16));
    }
  }
}

template <class Word, class T, class F>
[[gnu::always_inline]] inline void scatter_d(MatrixOperands& operands, unsigned first,
                                             unsigned rows, const T (*d)[kTileColumns], F f) {
  for (unsigned r = 0; r < rows / 4; ++r) {
    Word* words = operands.result<Word>(first + r);
    for (unsigned l = 0; l < kWarpSize; ++l)
      words[l] = f(d[l / 4 + 8 * (r / 2)][2 * (l % 4) + r % 2]);
  }
}
template <class T, class F>
[[gnu::always_inline]] inline void scatter_half_d(MatrixOperands& operands, unsigned first,
                                                  unsigned rows, const T (*d)[kTileColumns], F f) {
  for (unsigned r = 0; r < rows / 8; ++r) {
    auto* words = operands.result<std::uint32_t>(first + r);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const T* pair = &d[l / 4 + 8 * r][2 * (l % 4)];
      words[l] = f(pair[0]) | static_cast<std::uint32_t>(f(pair[1])) << 16;
    }
  }
}

/// The column of A for each stored element of a sparse row (PTX ISA 9.7.14.5.1, "Sparse matrix
/// storage"). Two of four elements are stored; for tf32 one of two; for s4 and u4 two pairs of
/// four. Two bits of metadata say which.
class SparseColumns {
 public:
  SparseColumns(const MatrixOperands& operands, unsigned metadata, const MatrixShape& shape)
      : words_(operands.source<std::uint32_t>(metadata)), shape_(shape) {}

  unsigned column(unsigned row, unsigned stored) const {
    switch (element_bits(shape_.a)) {
      case 32:
        return 2 * stored + (choice(row, 2 * stored) >> 1);
      case 4:
        return 8 * (stored / 4) + 2 * choice(row, stored / 2) + stored % 2;
      default:
        return 4 * (stored / 2) + choice(row, stored);
    }
  }

 private:
  /// Two bits of a row's metadata. A row has 16 bits in the words for 16- and 32-bit elements, and
  /// 32 bits for narrower ones.
  unsigned choice(unsigned row, unsigned n) const {
    const unsigned first_lane = 4 * (row % 8), upper = row / 8;
    if (element_bits(shape_.a) >= 16) {
      const unsigned words_a_row = shape_.k * element_bits(shape_.a) / 256;
      const unsigned thread = shape_.selector * words_a_row + n / 8;
      return words_[first_lane + thread] >> (16 * upper + 2 * (n % 8)) & 3;
    }
    const unsigned thread = 2 * (shape_.selector + n / 16) + upper;
    return words_[first_lane + thread] >> (2 * (n % 16)) & 3;
  }

  const std::uint32_t* words_;
  const MatrixShape& shape_;
};

/// Matrix instructions need whole warps: returns false and sets a fault when lanes are missing.
inline bool whole_warp(WarpContext& w) {
  if (w.active == kAllLanes) [[likely]]
    return true;
  w.fault.kind = Fault::Kind::missing_lanes;
  w.fault.address = w.active;
  w.fault.lane = static_cast<std::uint8_t>(std::countr_zero(w.active));
  return false;
}

}  // namespace raddle::isa
