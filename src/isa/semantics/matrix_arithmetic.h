// The kinds of mma, one file each: matrix_float.cpp, matrix_quad_pair.cpp, matrix_integer.cpp,
// matrix_double.cpp.
#pragma once

#include "isa/semantics/matrix.h"

namespace raddle::isa {

Execute select_float_mma(const MatrixShape& shape, Element d, Element c);
/// m8n8k4 of f16: four products at once, each by the eight lanes of a quad pair.
Execute select_quad_pair_mma(Element d, Element c);
Execute select_integer_mma(const MatrixShape& shape);
Execute select_double_mma(Rounding rounding);

}  // namespace raddle::isa
