// Registers that hold several values one after the other, taken apart.
#pragma once

#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// Gives each web of definitions and the uses that they reach (S. Muchnick, Advanced Compiler Design
/// and Implementation, 16.3.3) a register of its own, of the registers that are `chosen`.
void split_webs(FunctionBody& body, const std::vector<bool>& chosen);

}  // namespace raddle::isa
