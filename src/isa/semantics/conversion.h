// Conversion between types (PTX ISA 9.7.9.21, 9.7.9.22).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

// convert.cpp: cvt of one value; Form::type is the result's, Form::type2 the operand's.
Execute select_convert(const Form&);

// convert_packed.cpp
Execute select_convert_clamped(const Form&);  // .relu, .satfinite: f32 to f16, bf16
Execute select_convert_pair(const Form&);     // two f32 to f16x2, bf16x2, 8, 6 and 4 bits
Execute select_convert_to_tf32(const Form&);
Execute select_convert_half_pair(const Form&);  // f16x2 to e4m3x2, e5m2x2
Execute select_convert_from_fp8(const Form&);   // 8, 6 and 4 bits to f16x2
Execute select_convert_to_powers(const Form&);  // two f32 or bf16x2 to ue8m0x2
Execute select_convert_from_powers(const Form&);
Execute select_convert_pack(const Form&);        // cvt.pack of 8- and 16-bit integers
Execute select_convert_pack_small(const Form&);  // 2- and 4-bit integers: Form::extra u2 s2 u4 s4

}  // namespace raddle::isa
