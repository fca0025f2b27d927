// Kernels that the simulator cannot run: it refuses their launches and queries, and reports them
// once.
#pragma once

#include <string>

#include "cuda/modules/module.h"
#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// Refuses a launch with cudaErrorNotSupported, "the attempted operation is not supported on the
/// current system or device" (CUDA runtime API, error codes). cudaErrorNoKernelImageForDevice and
/// cudaErrorInvalidPtx would be wrong: there is a correct image, and compiling the program for
/// another target would not help.
[[noreturn]] void refuse_launch(Runtime& runtime, const Kernel& kernel, const std::string& why);

/// Refuses queries of a kernel with unsupported instructions: its number of registers is unknown.
void require_supported(Runtime& runtime, const Kernel& kernel);

}  // namespace raddle::cuda
