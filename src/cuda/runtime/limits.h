// cudaDeviceSetLimit and cuCtxSetLimit: cudaLimit and CUlimit have the same numbers.
#pragma once

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// Both refuse an unknown number with cudaErrorInvalidValue, and a limit that the GPU lacks with
/// cudaErrorUnsupportedLimit.
std::size_t limit(Runtime& runtime, int which);
void set_limit(Runtime& runtime, int which, std::size_t value);

}  // namespace raddle::cuda
