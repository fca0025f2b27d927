// mma.m8n8k4 of f16 (PTX ISA 9.7.14.4.1): each quad pair, lanes 4q to 4q + 3 and 16 + 4q to 19 +
// 4q, computes its own product.
#include "isa/block_context.h"
#include "isa/semantics/matrix_arithmetic.h"
#include "isa/semantics/matrix_fragment.h"
#include "isa/semantics/matrix_sum.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;
constexpr unsigned kRows = 8, kDepth = 4, kQuadPairs = 4;

/// The n-th lane of a quad pair.
unsigned lane_of(unsigned quad_pair, unsigned n) { return 4 * quad_pair + n % 4 + 16 * (n / 4); }

/// Element `n` of the four f16 in two registers.
double element(const MatrixOperands& operands, unsigned first, unsigned lane, unsigned n) {
  const u32 word = operands.source<u32>(first + n / 2)[lane];
  return widen(F16{static_cast<std::uint16_t>(word >> (16 * (n % 2)))});
}

/// The place in C of element `n` of lane `me` of the quad pair; f16 elements have one row a lane.
struct Place {
  unsigned row, column;
};
Place place_in_c(bool half, unsigned me, unsigned n) {
  if (half) return {me, n};
  return {(me & 1) + (n & 2) + 4 * (me / 4), (n & 4) + (me & 2) + (n & 1)};
}

struct Product {
  double a[kRows][kDepth], b[kDepth][kTileColumns];
  std::int32_t a_exponent[kRows][kDepth], b_exponent[kDepth][kTileColumns];
  double c[kRows][kTileColumns];
};

void gather_factors(const MatrixOperands& operands, unsigned a, const MatrixShape& shape,
                    unsigned quad_pair, Product& product) {
  for (unsigned me = 0; me < 8; ++me) {
    const unsigned lane = lane_of(quad_pair, me), upper = me & 4;
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned row = shape.column_a ? n + upper : me, depth = shape.column_a ? me % 4 : n;
      const double x = element(operands, a, lane, n);
      product.a[row][depth] = x;
      product.a_exponent[row][depth] = exponent_of(x, -14);
      const unsigned column = shape.column_b ? me : n + upper;
      const unsigned depth_b = shape.column_b ? n : me % 4;
      const double y = element(operands, a + 2, lane, n);
      product.b[depth_b][column] = y;
      product.b_exponent[depth_b][column] = exponent_of(y, -14);
    }
  }
}

template <bool half_c>
void gather_accumulators(const MatrixOperands& operands, unsigned first, unsigned quad_pair,
                         Product& product) {
  for (unsigned me = 0; me < 8; ++me) {
    const unsigned lane = lane_of(quad_pair, me);
    for (unsigned n = 0; n < 8; ++n) {
      const Place at = place_in_c(half_c, me, n);
      product.c[at.row][at.column] =
          half_c ? element(operands, first, lane, n)
                 : double{std::bit_cast<float>(operands.source<u32>(first + n)[lane])};
    }
  }
}

template <bool half_d>
void scatter_results(MatrixOperands& operands, unsigned quad_pair, const Product& product) {
  for (unsigned me = 0; me < 8; ++me) {
    const unsigned lane = lane_of(quad_pair, me);
    for (unsigned n = 0; n < 8; ++n) {
      const Place at = place_in_c(half_d, me, n);
      const double value = product.c[at.row][at.column];
      if constexpr (half_d) {
        u32& word = operands.result<u32>(n / 2)[lane];
        const u32 bits = narrow<F16>(value).bits;
        word = n % 2 == 0 ? bits : word | bits << 16;
      } else {
        operands.result<u32>(n)[lane] =
            value != value ? 0x7fff'ffffu : std::bit_cast<u32>(static_cast<float>(value));
      }
    }
  }
}

template <bool half_d, bool half_c>
void mma(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  using Result = std::conditional_t<half_d, HalfResult, SingleResult>;
  constexpr unsigned kA = half_d ? 4 : 8;
  MatrixOperands operands(w, i);
  Product products[kQuadPairs];
  for (unsigned q = 0; q < kQuadPairs; ++q) {
    gather_factors(operands, kA, MatrixShape::of(i), q, products[q]);
    gather_accumulators<half_c>(operands, kA + 4, q, products[q]);
  }
  for (Product& product : products) {
    for (unsigned row = 0; row < kRows; ++row) {
      for (unsigned n = 0; n < kTileColumns; ++n) {
        const SumTerms<kTileColumns> terms = {product.a[row], &product.b[0][n],
                                              product.a_exponent[row], &product.b_exponent[0][n],
                                              kDepth};
        fused_sum_of_any<Result>(terms, w.block->grid->tensor.fraction_bits, &product.c[row][n]);
      }
    }
  }
  for (unsigned q = 0; q < kQuadPairs; ++q) scatter_results<half_d>(operands, q, products[q]);
  operands.commit<u32>(kA);
}

}  // namespace

Execute select_quad_pair_mma(Element d, Element c) {
  if (d == Element::f16) return c == Element::f16 ? mma<true, true> : nullptr;
  return c == Element::f16 ? mma<false, true> : mma<false, false>;
}

}  // namespace raddle::isa
