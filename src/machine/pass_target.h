// What passes over programs know of a GPU, from its description.
#pragma once

#include "isa/passes/target.h"

namespace raddle::machine {

struct GpuConfig;

isa::PassTarget pass_target(const GpuConfig& config);

}  // namespace raddle::machine
