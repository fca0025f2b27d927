// Comparison and selection (PTX ISA 9.7.6, 9.7.7).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_setp(const Form&);  // Form::type compared; packed types set p and q
Execute select_set(const Form&);   // Form::type result, Form::type2 compared; the instruction has
                                   // true_value() in immediate, Form::operation in extra
/// What set's result is where the comparison holds: all ones for integers, 1.0 for floating point.
std::uint32_t true_value(const Form&);
Execute select_selp(const Form&);
Execute select_slct(const Form&);  // Form::type chosen, Form::type2 tested

}  // namespace raddle::isa
