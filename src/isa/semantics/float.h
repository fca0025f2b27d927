// Single- and double-precision arithmetic (PTX ISA 9.7.3), including the mixed-precision forms with
// half or bfloat16 addends or factors.
#pragma once

#include "isa/table.h"

namespace raddle::isa {

// float_arithmetic.cpp: every rounding, .ftz, .sat. `_mixed` forms name the narrow type second.
Execute select_fadd(const Form&);
Execute select_fsub(const Form&);
Execute select_fmul(const Form&);
Execute select_ffma(const Form&);
Execute select_fadd_mixed(const Form&);
Execute select_fsub_mixed(const Form&);
Execute select_ffma_mixed(const Form&);

// float_division.cpp: division, reciprocal, square root; the forms with a rounding.
Execute select_fdiv(const Form&);
Execute select_rcp(const Form&);
Execute select_sqrt(const Form&);

// float_sign.cpp: instructions that only look at the encoding.
Execute select_testp(const Form&);
Execute select_copysign(const Form&);
Execute select_fabs(const Form&);
Execute select_fneg(const Form&);
Execute select_fmin(const Form&);
Execute select_fmax(const Form&);
Execute select_fmin3(const Form&);
Execute select_fmax3(const Form&);

// float_approximate.cpp: .approx and .full.
Execute select_approximate_div(const Form&);
Execute select_approximate_rcp(const Form&);
Execute select_approximate_sqrt(const Form&);
Execute select_rsqrt(const Form&);
Execute select_sin(const Form&);
Execute select_cos(const Form&);
Execute select_lg2(const Form&);
Execute select_ex2(const Form&);
Execute select_tanh(const Form&);

}  // namespace raddle::isa
