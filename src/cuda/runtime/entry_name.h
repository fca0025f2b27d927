// Which function of the CUDA API the program has called.
#pragma once

#include <string>

namespace raddle::cuda {

/// The name of the API function that the innermost stretch of raddle's own stack frames began with,
/// from the libraries' symbol tables: some microseconds of the host. "" when it cannot be told.
std::string entry_name();

/// The name that programs use for it: "cudaLaunchKernel" for "__cudaLaunchKernel_ptsz", "cuMemAlloc"
/// for "cuMemAlloc_v2", "cublasSgemm" for "cublasSgemm_v2_64".
std::string public_name(std::string entry);

}  // namespace raddle::cuda
