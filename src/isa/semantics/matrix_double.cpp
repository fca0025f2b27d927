// mma on double precision: a chain of fused multiply-adds along k.
#include <cmath>

#include "isa/semantics/float_mode.h"
#include "isa/semantics/matrix_arithmetic.h"
#include "isa/semantics/matrix_fragment.h"

namespace raddle::isa {
namespace {

template <Rounding rounding>
void mma(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  constexpr unsigned kMostColumns = 16;
  const MatrixShape shape = MatrixShape::of(i);
  MatrixOperands operands(w, i);
  for_tiles(shape, Element::f64, Element::f64, [&](const MatrixTile& tile) {
    double a[kMostTileRows][kMostColumns], b[kMostColumns][kTileColumns];
    double sums[kMostTileRows][kTileColumns];
    for_words_of_a<double>(operands, tile, shape.a_registers(),
                           [&](unsigned row, unsigned k, double x) { a[row][k] = x; });
    for_words_of_b<double>(operands, tile, shape.b_registers(),
                           [&](unsigned k, unsigned column, double x) { b[k][column] = x; });
    gather_c<double>(operands, tile.c, tile.rows, sums, [](double x) { return x; });
    {
      const RoundingScope<rounding> scope;
      for (unsigned row = 0; row < tile.rows; ++row) {
        for (unsigned k = 0; k < shape.k; ++k) {
          for (unsigned n = 0; n < kTileColumns; ++n) {
            sums[row][n] = std::fma(a[row][k], b[k][n], sums[row][n]);
          }
        }
      }
    }
    scatter_d<double>(operands, tile.d, tile.rows, sums, [](double x) { return x; });
  });
  operands.commit<double>(shape.c_registers(Element::f64));
}

}  // namespace

Execute select_double_mma(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return mma<Rounding::rz>;
    case Rounding::rm:
      return mma<Rounding::rm>;
    case Rounding::rp:
      return mma<Rounding::rp>;
    default:
      return mma<Rounding::rn>;
  }
}

}  // namespace raddle::isa
