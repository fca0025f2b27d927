// Video instructions, scalar and SIMD-in-a-word (PTX ISA 9.7.17), and dot products (9.7.1.23,
// 9.7.1.24).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

// video.cpp: Form::type, type2, type3 are the types of d, a, b. Form::operation, if given, is the
// secondary operation with c. vset names no type for d.
Execute select_vadd(const Form&);
Execute select_vsub(const Form&);
Execute select_vabsdiff(const Form&);
Execute select_vmin(const Form&);
Execute select_vmax(const Form&);
Execute select_vshl(const Form&);
Execute select_vshr(const Form&);
Execute select_vmad(const Form&);  // Form::extra: po shr7 shr15
/// Bits of vmad's Instruction::extra.
inline constexpr std::uint16_t kVideoNegateProduct = 1, kVideoNegateAddend = 2;
Execute select_vset(const Form&);

// video_simd.cpp: two 16-bit or four 8-bit elements; Form::operation add: their sum is added to c.
Execute select_vadd2(const Form&);
Execute select_vsub2(const Form&);
Execute select_vavrg2(const Form&);
Execute select_vabsdiff2(const Form&);
Execute select_vmin2(const Form&);
Execute select_vmax2(const Form&);
Execute select_vset2(const Form&);
Execute select_vadd4(const Form&);
Execute select_vsub4(const Form&);
Execute select_vavrg4(const Form&);
Execute select_vabsdiff4(const Form&);
Execute select_vmin4(const Form&);
Execute select_vmax4(const Form&);
Execute select_vset4(const Form&);

// dot_product.cpp
Execute select_dp4a(const Form&);
Execute select_dp2a(const Form&);

}  // namespace raddle::isa
