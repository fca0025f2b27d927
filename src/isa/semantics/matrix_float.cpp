// mma on f16, bf16, tf32, e4m3 and e5m2 (PTX ISA 9.7.14.4, 9.7.14.5).
#include <algorithm>

#include "isa/block_context.h"
#include "isa/semantics/matrix_arithmetic.h"
#include "isa/semantics/matrix_fragment.h"
#include "isa/semantics/matrix_sum.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;

struct TF32 {
  u32 bits;
  static constexpr int kBias = 127;
};
double widen(TF32 value) { return std::bit_cast<float>(value.bits & ~((1u << 13) - 1)); }

template <class Format>
constexpr unsigned kPerWord = 4 / sizeof(Format);

template <class Format>
double element(u32 word, unsigned n) {
  return widen(Format{static_cast<decltype(Format::bits)>(word >> (8 * sizeof(Format) * n))});
}

/// The order in which the products of a form are added.
struct Sums {
  bool halves = false;  // e4m3 and e5m2 become f16
  unsigned block = 0;   // columns of A in one addition
  std::int32_t fraction_bits = 0;

  template <class A>
  static Sums of(const TensorArithmetic& tensor, const MatrixShape& shape) {
    if (sizeof(A) == 1 && tensor.halves_of_8) return {true, shape.k / 2u, tensor.fraction_bits};
    // Only stored bytes count: half of a sparse row.
    const unsigned stored = tensor.block_bytes / sizeof(A);
    return {false, shape.sparse ? 2 * stored : stored,
            sizeof(A) == 1 ? tensor.fraction_bits_of_8 : tensor.fraction_bits};
  }
  /// The position of column k in the order of addition. In each four bytes of a register, the lower
  /// two become one f16x2 and the upper two another; all lower ones come first.
  unsigned turn(unsigned k, const MatrixShape& shape) const {
    if (!halves) return k;
    const unsigned unit = shape.sparse ? 4 : 2;
    return k / unit % 2 * block + k / (2 * unit) * unit + k % unit;
  }
  template <class Format>
  std::int32_t exponent(double value) const {
    return exponent_of(value, 1 - (halves ? F16::kBias : Format::kBias));
  }
};

/// The factors of a tile as numbers, with their exponents, in the order of addition.
struct Factors {
  double a[kMostTileRows][kMostTerms], b[kMostTerms][kTileColumns];
  std::int32_t a_exponent[kMostTileRows][kMostTerms], b_exponent[kMostTerms][kTileColumns];
  bool finite = true;
};

template <class Format>
void gather_a(const MatrixOperands& operands, const MatrixTile& tile, const MatrixShape& shape,
              const SparseColumns& sparse, const Sums& order, Factors& factors) {
  if (shape.sparse) {
    std::fill_n(&factors.a[0][0], kMostTileRows * kMostTerms, 0.0);
    std::fill_n(&factors.a_exponent[0][0], kMostTileRows * kMostTerms, kAbsent);
  }
  for_words_of_a<u32>(operands, tile, shape.a_registers() * tile.rows / shape.m,
                      [&](unsigned row, unsigned column, u32 word) {
                        for (unsigned n = 0; n < kPerWord<Format>; ++n) {
                          const double value = element<Format>(word, n);
                          unsigned at = kPerWord<Format> * column + n;
                          if (shape.sparse) at = sparse.column(row, at);
                          at = order.turn(at, shape);
                          factors.a[row][at] = value;
                          factors.a_exponent[row][at] = order.exponent<Format>(value);
                          factors.finite &= std::isfinite(value);
                        }
                      });
}

template <class Format>
void gather_b(const MatrixOperands& operands, const MatrixTile& tile, const MatrixShape& shape,
              const Sums& order, Factors& factors) {
  for_words_of_b<u32>(operands, tile, shape.b_registers() * kTileColumns / shape.n,
                      [&](unsigned row, unsigned column, u32 word) {
                        for (unsigned n = 0; n < kPerWord<Format>; ++n) {
                          const double value = element<Format>(word, n);
                          const unsigned at = order.turn(kPerWord<Format> * row + n, shape);
                          factors.b[at][column] = value;
                          factors.b_exponent[at][column] = order.exponent<Format>(value);
                          factors.finite &= std::isfinite(value);
                        }
                      });
}

template <class Result>
void add_products(const Factors& factors, unsigned row, unsigned k, const Sums& order,
                  double* sums) {
  const std::int32_t fraction_bits = order.fraction_bits;
  for (unsigned first = 0; first < k; first += order.block) {
    SumTerms<kTileColumns> terms = {&factors.a[row][first], factors.b[first],
                                    &factors.a_exponent[row][first], factors.b_exponent[first],
                                    std::min(order.block, k - first)};
    const bool finite = factors.finite && std::all_of(sums, sums + kTileColumns, [](double sum) {
                          return std::isfinite(sum);
                        });
    if (finite) [[likely]] {
      fused_sum<Result, kTileColumns>(terms, fraction_bits, sums);
      continue;
    }
    for (unsigned n = 0; n < kTileColumns; ++n, ++terms.b, ++terms.b_exponent) {
      fused_sum_of_any<Result>(terms, fraction_bits, &sums[n]);
    }
  }
}

/// With `halves`, the products of 8-bit floats are added to zero, and the accumulator is added
/// last.
template <class Result>
void sum_row(const Factors& factors, unsigned row, unsigned k, const Sums& order, double* sums) {
  if (!order.halves) return add_products<Result>(factors, row, k, order, sums);
  double products[kTileColumns] = {};
  add_products<Result>(factors, row, k, order, products);
  for (unsigned n = 0; n < kTileColumns; ++n) sums[n] = Result::nearest(products[n] + sums[n]);
}

u32 single_bits(double value) {
  return value != value ? 0x7fff'ffffu : std::bit_cast<u32>(static_cast<float>(value));
}
double from_single(u32 word) { return std::bit_cast<float>(word); }
double from_half(std::uint16_t bits) { return widen(F16{bits}); }

/// .satfinite of the first wmma.mma: infinities become the largest finite numbers (PTX ISA 6.3).
template <class T>
u32 result_bits(double value, double largest, bool satfinite, T bits) {
  return bits(satfinite && std::isinf(value) ? std::copysign(largest, value) : value);
}

template <class A, class B, bool half_d, bool half_c>
void mma(WarpContext& w, const Instruction& i) {
  if (!whole_warp(w)) return;
  using Result = std::conditional_t<half_d, HalfResult, SingleResult>;
  constexpr Element kC = half_c ? Element::f16 : Element::f32;
  constexpr Element kD = half_d ? Element::f16 : Element::f32;
  const MatrixShape shape = MatrixShape::of(i);
  MatrixOperands operands(w, i);
  const SparseColumns sparse(
      operands,
      shape.c_registers(kC) + shape.c_registers(kD) + shape.a_registers() + shape.b_registers(),
      shape);
  const Sums order = Sums::of<A>(w.block->grid->tensor, shape);
  for_tiles(shape, kC, kD, [&](const MatrixTile& tile) {
    Factors factors;
    gather_a<A>(operands, tile, shape, sparse, order, factors);
    gather_b<B>(operands, tile, shape, order, factors);
    double sums[kMostTileRows][kTileColumns];
    if constexpr (half_c) {
      gather_half_c(operands, tile.c, tile.rows, sums, from_half);
    } else {
      gather_c<u32>(operands, tile.c, tile.rows, sums, from_single);
    }
    for (unsigned row = 0; row < tile.rows; ++row) {
      sum_row<Result>(factors, row, shape.k, order, sums[row]);
    }
    if constexpr (half_d) {
      scatter_half_d(operands, tile.d, tile.rows, sums, [&](double value) {
        return result_bits(value, 65504, shape.satfinite,
                           [](double x) { return u32{narrow<F16>(x).bits}; });
      });
    } else {
      scatter_d<u32>(operands, tile.d, tile.rows, sums, [&](double value) {
        return result_bits(value, 0x1.fffffep127, shape.satfinite, single_bits);
      });
    }
  });
  operands.commit<u32>(shape.c_registers(kD));
}

template <class A, class B>
Execute with_accumulators(Element d, Element c) {
  if (d == Element::f16) {
    return c == Element::f16 ? mma<A, B, true, true> : mma<A, B, true, false>;
  }
  return c == Element::f16 ? mma<A, B, false, true> : mma<A, B, false, false>;
}

template <class A>
Execute with_b(Element b, Element d, Element c) {
  return b == Element::e4m3 ? with_accumulators<A, E4M3>(d, c) : with_accumulators<A, E5M2>(d, c);
}

}  // namespace

Execute select_float_mma(const MatrixShape& shape, Element d, Element c) {
  switch (shape.a) {
    case Element::f16:
      return with_accumulators<F16, F16>(d, c);
    case Element::bf16:
      return mma<BF16, BF16, false, false>;
    case Element::tf32:
      return mma<TF32, TF32, false, false>;
    case Element::e4m3:
      return with_b<E4M3>(shape.b, d, c);
    case Element::e5m2:
      return with_b<E5M2>(shape.b, d, c);
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
