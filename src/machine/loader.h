// The loader of a GPU's programs, with the built-in parts and those of switched-on mechanisms.
#pragma once

#include "isa/loader.h"

namespace raddle::machine {

struct GpuConfig;

/// Programs that it loads have the builtins, instructions and passes of the mechanisms that
/// `config` switches on. Instructions of other mechanisms are refused by name. The configuration
/// need not outlive the loader.
isa::Loader make_loader(const GpuConfig& config);

}  // namespace raddle::machine
