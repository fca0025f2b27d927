// Kernels that the simulator cannot run: what is asked of them is refused, and told once.
#pragma once

#include <string>

#include "cuda/modules/module.h"
#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// Refuses a launch with cudaErrorNotSupported, "the attempted operation is not supported on the
/// current system or device" (CUDA runtime API, error codes). cudaErrorNoKernelImageForDevice and
/// cudaErrorInvalidPtx would be wrong: there is an image and it is right, and no other target that
/// the program is compiled for would help.
[[noreturn]] void refuse_launch(Runtime& runtime, const Kernel& kernel, const std::string& why);

/// Refuses what is asked about a kernel with instructions that are not supported: how many registers
/// it takes is not known.
void require_supported(Runtime& runtime, const Kernel& kernel);

}  // namespace raddle::cuda
