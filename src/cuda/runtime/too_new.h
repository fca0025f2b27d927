// The message for device code that needs a later GPU than the simulated one.
#pragma once

#include <string>

#include "cuda/modules/module.h"
#include "machine/config.h"

namespace raddle::cuda {

/// Says which GPU is simulated, whether a person has named it, and which descriptions run the code.
/// If the program has machine code for the GPU: how to build it with PTX for it.
std::string too_new(const Module::Unfit& code, const machine::GpuConfig& gpu, bool named);

}  // namespace raddle::cuda
