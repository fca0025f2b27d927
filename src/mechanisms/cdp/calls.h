// The device runtime's functions as kernels call them.
#pragma once

#include <vector>

#include "isa/builtins/builtins.h"

namespace raddle::mechanisms::cdp {

std::vector<isa::Builtin> launch_calls();
std::vector<isa::Builtin> stream_calls();

}  // namespace raddle::mechanisms::cdp
