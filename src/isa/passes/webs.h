// Splits registers that hold several values one after the other.
#pragma once

#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// Gives each web of definitions and the uses that they reach (S. Muchnick, Advanced Compiler
/// Design and Implementation, 16.3.3) its own register, for the registers in `chosen`.
void split_webs(FunctionBody& body, const std::vector<bool>& chosen);

}  // namespace raddle::isa
