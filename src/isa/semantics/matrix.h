// Matrix instructions of a warp (PTX ISA 9.7.14): mma, mma.sp, wmma, ldmatrix, stmatrix, movmatrix.
//
// Arithmetic. Integers are exact (wrapping, or clamped once with .satfinite). Double precision is a
// chain of fused multiply-adds in the order of k. For f16, bf16, tf32, e4m3 and e5m2 PTX does not
// define order and rounding. raddle uses those measured on hardware (Fasi et al., "Numerical
// behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021; Li et al., "FTTN", CCGrid 2024; Xie et
// al., "MMA-Sim", arXiv 2511.10909). The exact products of `block_bytes` of a row of A, and the
// accumulator, are aligned to the largest exponent among them (for a product, the sum of the
// exponents of its factors), truncated `fraction_bits` below it, and added exactly. The sum is
// truncated to single precision, or rounded to nearest to half precision, and is the accumulator of
// the next products. In a sparse row, only the stored bytes count. Subnormals count in full. NaN
// results are canonical. tf32 operands lose the 13 bits that tf32 does not have.
//
// With `halves_of_8`, hardware has no such instruction for e4m3 and e5m2: ptxas makes f16 values
// from the lower two of each four bytes, and from the upper two. The products of the lower ones,
// then those of the upper ones, are added to zero as above. Their sum is added to the accumulator
// and rounded to nearest. All mma recorded on an NVIDIA H200 (tests/golden) are equal bit by bit.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/form.h"
#include "isa/instruction.h"
#include "ptx/types.h"

namespace raddle::isa {

/// Types of the elements of a matrix.
enum class Element : std::uint8_t {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32
};

/// Bits of an element in a register.
unsigned element_bits(Element);

enum class BitOperation : std::uint8_t { op_xor, op_and };

/// An mma or wmma.mma, as stored in Instruction::immediate.
struct MatrixShape {
  std::uint16_t k = 0;
  std::uint8_t m = 0, n = 0;
  Element a = Element::f16, b = Element::f16;
  std::uint8_t selector : 2 = 0;  // sparse: which of four threads hold the metadata
  std::uint8_t sparse : 1 = 0;
  std::uint8_t satfinite : 1 = 0;
  std::uint8_t bit_and : 1 = 0;                     // b1: and, else xor
  std::uint8_t column_a : 1 = 0, column_b : 1 = 0;  // m8n8k4 of f16: layout of the operands
  std::uint8_t unused_bit : 1 = 0;
  std::uint8_t unused = 0;

  static MatrixShape of(const Instruction& i) { return std::bit_cast<MatrixShape>(i.immediate); }
  std::int64_t packed() const { return std::bit_cast<std::int64_t>(*this); }
  /// Registers of a fragment over all tiles, without the copies in wmma's f16 fragments.
  unsigned a_registers() const;
  unsigned b_registers() const;
  unsigned c_registers(Element c) const;
};
static_assert(sizeof(MatrixShape) == sizeof(std::int64_t));

/// d = a * b + c. Instruction::s[0] is a constant row that lists the operands' slots: d, a, b, c,
/// then e (metadata) of sparse ones. nullptr: no such combination.
Execute select_mma(const MatrixShape& shape, Element d, Element c, Rounding rounding);

void execute_movmatrix(WarpContext&, const Instruction&);

/// ldmatrix and stmatrix of 8x8 matrices of 16 bits: registers in d, s[1], s[2], s[3].
Execute select_ldmatrix(ptx::Space space, bool transposed);
Execute select_stmatrix(ptx::Space space, bool transposed);

/// A block of 8 rows of a wmma fragment. s[0] is the base address, s[1] the elements between rows
/// (columns with `transposed`), target and reconverge the first row and column of the block. A lane
/// has one register (d) of 1 to 32 elements or, with `pair`, two registers (d and s[2]) of one
/// element each. Loads without `pair` also fill s[2] and s[3] when Instruction::elements is 2 or 3.
struct FragmentBlock {
  Element element = Element::f16;
  bool pair = false;
  bool transposed = false;
};
Execute select_wmma_load(ptx::Space space, const FragmentBlock& block);
Execute select_wmma_store(ptx::Space space, const FragmentBlock& block);

}  // namespace raddle::isa
