// Names and texts of error codes; the driver API's codes have the same numbers and texts.
#pragma once

#include "cuda_runtime_api.h"

namespace raddle::cuda {

/// "cudaErrorInvalidValue"; nullptr for a code that does not exist.
const char* error_name(int code);
/// "invalid argument"; nullptr for a code that does not exist.
const char* error_text(int code);

}  // namespace raddle::cuda
