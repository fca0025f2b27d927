// What is said of device code for a later GPU than the simulated one.
#pragma once

#include <string>

#include "machine/config.h"
#include "ptx/target.h"

namespace raddle::cuda {

/// What the GPU is, whether a person has named it, and which descriptions run code for `target`.
std::string too_new(const std::string& module, ptx::Target target, const machine::GpuConfig& gpu,
                    bool named);

}  // namespace raddle::cuda
