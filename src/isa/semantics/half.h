// Half and bfloat16 arithmetic, one value or two in a register (PTX ISA 9.7.4, 9.7.5).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_hadd(const Form&);
Execute select_hsub(const Form&);
Execute select_hmul(const Form&);
Execute select_hfma(const Form&);
Execute select_hneg(const Form&);
Execute select_habs(const Form&);
Execute select_hmin(const Form&);
Execute select_hmax(const Form&);
Execute select_htanh(const Form&);
Execute select_hex2(const Form&);

}  // namespace raddle::isa
