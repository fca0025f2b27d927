// mma on integers and bits: exact sums (PTX ISA 9.7.14.4, 9.7.14.5).
#include <algorithm>
#include <bit>
#include <limits>

#include "isa/semantics/matrix_arithmetic.h"
#include "isa/semantics/matrix_fragment.h"

namespace raddle::isa {
namespace {

using s32 = std::int32_t;
using u32 = std::uint32_t;

constexpr unsigned kMostColumns = 128;  // of A: m16n8k128 of s4, sparse

/// Element `n` of a register of `bits`-bit integers.
template <unsigned bits, bool is_signed>
inline s32 element(u32 word, unsigned n) {
  const u32 field = word << (32 - bits - bits * n);
  return is_signed ? static_cast<s32>(field) >> (32 - bits)
                   : static_cast<s32>(field >> (32 - bits));
}

template <bool satfinite>
void finish(MatrixOperands& operands, const MatrixTile& tile,
            const std::int64_t (*sums)[kTileColumns]) {
  scatter_d<u32>(operands, tile.d, tile.rows, sums, [](std::int64_t sum) {
    using Limits = std::numeric_limits<s32>;
    if constexpr (satfinite) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    return static_cast<u32>(sum);
  });
}

template <unsigned bits, bool signed_a, bool signed_b, bool satfinite>
void mma(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  constexpr unsigned kElements = 32 / bits;
  const MatrixShape shape = MatrixShape::of(i);
  MatrixOperands operands(w, i);
  const SparseColumns sparse(
      operands, 2 * shape.c_registers(Element::s32) + shape.a_registers() + shape.b_registers(),
      shape);
  for_tiles(shape, Element::s32, Element::s32, [&](const MatrixTile& tile) {
    s32 a[kMostTileRows][kMostColumns], b[kMostColumns][kTileColumns];
    if (shape.sparse) std::fill_n(&a[0][0], kMostTileRows * kMostColumns, 0);
    for_words_of_a<u32>(operands, tile, shape.a_registers() * tile.rows / shape.m,
                        [&](unsigned row, unsigned column, u32 word) {
                          for (unsigned n = 0; n < kElements; ++n) {
                            const unsigned at = kElements * column + n;
                            a[row][shape.sparse ? sparse.column(row, at) : at] =
                                element<bits, signed_a>(word, n);
                          }
                        });
    for_words_of_b<u32>(operands, tile, shape.b_registers() * kTileColumns / shape.n,
                        [&](unsigned row, unsigned column, u32 word) {
                          for (unsigned n = 0; n < kElements; ++n) {
                            b[kElements * row + n][column] = element<bits, signed_b>(word, n);
                          }
                        });
    std::int64_t sums[kMostTileRows][kTileColumns];
    gather_c<u32>(operands, tile.c, tile.rows, sums,
                  [](u32 word) { return std::int64_t{static_cast<s32>(word)}; });
    for (unsigned row = 0; row < tile.rows; ++row) {
      s32 products[kTileColumns] = {};  // at most 128 * 255 * 255
      for (unsigned k = 0; k < shape.k; ++k) {
        for (unsigned n = 0; n < kTileColumns; ++n) products[n] += a[row][k] * b[k][n];
      }
      for (unsigned n = 0; n < kTileColumns; ++n) sums[row][n] += products[n];
    }
    finish<satfinite>(operands, tile, sums);
  });
  operands.commit<u32>(shape.c_registers(Element::s32));
}

/// b1: counts the bits that are set in both rows (and), or that differ (xor).
template <bool bit_and>
void mma_bits(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  const MatrixShape shape = MatrixShape::of(i);
  MatrixOperands operands(w, i);
  for_tiles(shape, Element::s32, Element::s32, [&](const MatrixTile& tile) {
    constexpr unsigned kMostWords = 256 / 32;
    u32 a[kMostTileRows][kMostWords], b[kTileColumns][kMostWords];
    for_words_of_a<u32>(operands, tile, shape.a_registers(),
                        [&](unsigned row, unsigned column, u32 word) { a[row][column] = word; });
    for_words_of_b<u32>(operands, tile, shape.b_registers(),
                        [&](unsigned row, unsigned column, u32 word) { b[column][row] = word; });
    std::int64_t sums[kMostTileRows][kTileColumns];
    gather_c<u32>(operands, tile.c, tile.rows, sums,
                  [](u32 word) { return std::int64_t{static_cast<s32>(word)}; });
    for (unsigned row = 0; row < tile.rows; ++row) {
      for (unsigned n = 0; n < kTileColumns; ++n) {
        for (unsigned k = 0; k < shape.k / 32u; ++k) {
          sums[row][n] += std::popcount(bit_and ? a[row][k] & b[n][k] : a[row][k] ^ b[n][k]);
        }
      }
    }
    finish<false>(operands, tile, sums);
  });
  operands.commit<u32>(shape.c_registers(Element::s32));
}

template <unsigned bits, bool signed_a, bool signed_b>
Execute with_overflow(bool satfinite) {
  return satfinite ? mma<bits, signed_a, signed_b, true> : mma<bits, signed_a, signed_b, false>;
}

template <unsigned bits>
Execute with_signs(bool signed_a, bool signed_b, bool satfinite) {
  if (signed_a) {
    return signed_b ? with_overflow<bits, true, true>(satfinite)
                    : with_overflow<bits, true, false>(satfinite);
  }
  return signed_b ? with_overflow<bits, false, true>(satfinite)
                  : with_overflow<bits, false, false>(satfinite);
}

}  // namespace

Execute select_integer_mma(const MatrixShape& shape) {
  if (shape.a == Element::b1) return shape.bit_and ? mma_bits<true> : mma_bits<false>;
  const auto is_signed = [](Element e) { return e == Element::s8 || e == Element::s4; };
  return element_bits(shape.a) == 8
             ? with_signs<8>(is_signed(shape.a), is_signed(shape.b), shape.satfinite)
             : with_signs<4>(is_signed(shape.a), is_signed(shape.b), shape.satfinite);
}

}  // namespace raddle::isa
