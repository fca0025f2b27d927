// The loader of a GPU's programs: what is built in, and what the mechanisms add that are switched on.
#pragma once

#include "isa/loader.h"

namespace raddle::machine {

struct GpuConfig;

/// Programs that it loads have the builtins, instructions and passes of the mechanisms that `config`
/// switches on; instructions of the others are refused by name. The configuration may go before the
/// loader.
isa::Loader make_loader(const GpuConfig& config);

}  // namespace raddle::machine
