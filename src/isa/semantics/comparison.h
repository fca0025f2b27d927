// Comparison and selection (PTX ISA 9.7.6, 9.7.7).
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_setp(const Form&);  // Form::type is compared; packed types set p and q
Execute select_set(const Form&);   // Form::type is the result's, Form::type2 the operands';
                                   // immediate is true_value(), extra is Form::operation
/// The result of set where the comparison is true: all ones for integers, 1.0 for floating point.
std::uint32_t true_value(const Form&);
Execute select_selp(const Form&);
Execute select_slct(const Form&);  // Form::type chosen, Form::type2 tested

}  // namespace raddle::isa
