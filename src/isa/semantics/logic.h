// Logic, shifts and byte permutation (PTX ISA 9.7.8, 9.7.9.7).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_and(const Form&);
Execute select_or(const Form&);
Execute select_xor(const Form&);
Execute select_not(const Form&);
Execute select_cnot(const Form&);
Execute select_lop3(const Form&);            // table in Instruction::immediate
Execute select_lop3_predicate(const Form&);  // the same, p = (d != 0) BoolOp c
/// For no PTX instruction: p = (d == 0), or (d != 0), for a lop3 whose d is unused.
Execute select_lop3_test(bool zero);
Execute select_shf_left(const Form&);
Execute select_shf_right(const Form&);
Execute select_shl(const Form&);
Execute select_shr(const Form&);
Execute select_prmt(const Form&);

}  // namespace raddle::isa
