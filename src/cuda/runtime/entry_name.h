// Which function of the CUDA API the program has called.
#pragma once

#include <string>

namespace raddle::cuda {

/// The name of the API function that the innermost stretch of raddle's own stack frames began with,
/// from the libraries' symbol tables: some microseconds of the host. "" when it cannot be told.
std::string entry_name();

}  // namespace raddle::cuda
