// Integer arithmetic (PTX ISA 9.7.1) and extended-precision arithmetic (9.7.2).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

// integer.cpp
Execute select_add(const Form&);
Execute sum_of_three();  // for no PTX instruction; bit n of the immediate: operand n is subtracted
Execute select_sub(const Form&);
Execute select_mul(const Form&);    // .hi .lo .wide
Execute select_mad(const Form&);    // .hi .lo .wide, .hi.sat.s32
Execute select_mul24(const Form&);  // .hi .lo
Execute select_mad24(const Form&);  // .hi .lo, .hi.sat.s32
Execute select_sad(const Form&);
Execute select_div(const Form&);
Execute select_rem(const Form&);
Execute select_abs(const Form&);
Execute select_neg(const Form&);
Execute select_min(const Form&);
Execute select_max(const Form&);

// extended_precision.cpp
Execute select_add_carry_out(const Form&);  // add.cc
Execute select_sub_carry_out(const Form&);  // sub.cc
Execute select_mad_carry_out(const Form&);  // mad.cc
Execute select_addc(const Form&);           // addc{.cc}
Execute select_subc(const Form&);           // subc{.cc}
Execute select_madc(const Form&);           // madc{.cc}

// bits.cpp
Execute select_popc(const Form&);
Execute select_clz(const Form&);
Execute select_bfind(const Form&);
Execute select_fns(const Form&);
Execute select_brev(const Form&);
Execute select_bfe(const Form&);
Execute select_bfi(const Form&);
Execute select_bmsk(const Form&);
Execute select_szext(const Form&);

}  // namespace raddle::isa
