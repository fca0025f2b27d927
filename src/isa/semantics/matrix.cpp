#include "isa/semantics/matrix.h"

#include "isa/semantics/matrix_arithmetic.h"

namespace raddle::isa {

unsigned element_bits(Element element) {
  switch (element) {
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::tf32:
    case Element::f32:
    case Element::s32:
      return 32;
    case Element::f64:
      return 64;
    case Element::e4m3:
    case Element::e5m2:
    case Element::s8:
    case Element::u8:
      return 8;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::b1:
      return 1;
  }
  return 0;
}

namespace {

/// Elements of A or B in one register: registers of f64 have 64 bits, others 32.
unsigned a_register(Element element) {
  return element == Element::f64 ? 1 : 32 / element_bits(element);
}

}  // namespace

unsigned MatrixShape::a_registers() const {
  return m * (sparse ? k / 2u : k) / a_register(a) / kWarpSize;
}
unsigned MatrixShape::b_registers() const { return n * k / a_register(b) / kWarpSize; }
unsigned MatrixShape::c_registers(Element c) const {
  return m * n / (c == Element::f16 ? 2 : 1) / kWarpSize;
}

Execute select_mma(const MatrixShape& shape, Element d, Element c, Rounding rounding) {
  switch (shape.a) {
    case Element::f64:
      return select_double_mma(rounding);
    case Element::s8:
    case Element::u8:
    case Element::s4:
    case Element::u4:
    case Element::b1:
      return select_integer_mma(shape);
    default:
      if (shape.m == 8 && shape.n == 8) return select_quad_pair_mma(d, c);
      return select_float_mma(shape, d, c);
  }
}

}  // namespace raddle::isa
