// Stack manipulation (PTX ISA 9.7.18) and miscellaneous instructions (9.7.19).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_stacksave(const Form&);
Execute select_stackrestore(const Form&);
/// d = the address of s[0] bytes of local memory, aligned to s[1], freed when the function returns.
Execute select_alloca(const Form&);
Execute select_brkpt(const Form&);
Execute select_nanosleep(const Form&);  // WarpContext::event: ns
Execute select_trap(const Form&);

}  // namespace raddle::isa
