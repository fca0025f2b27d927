// What is said of device code for a later GPU than the simulated one.
#pragma once

#include <string>

#include "cuda/modules/module.h"
#include "machine/config.h"

namespace raddle::cuda {

/// What the GPU is, whether a person has named it, and which descriptions run the code. Where the
/// program has machine code for the GPU: how to build it with PTX for it.
std::string too_new(const Module::Unfit& code, const machine::GpuConfig& gpu, bool named);

}  // namespace raddle::cuda
