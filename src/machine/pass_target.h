// The properties of a GPU that passes over programs use, from its description.
#pragma once

#include "isa/passes/target.h"

namespace raddle::machine {

struct GpuConfig;

isa::PassTarget pass_target(const GpuConfig& config);

}  // namespace raddle::machine
