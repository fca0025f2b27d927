// Which function of the CUDA API the program has called.
#pragma once

#include <string>

namespace raddle::cuda {

/// The name of the API function at the outer end of raddle's innermost run of stack frames, from
/// the libraries' symbol tables. Takes some microseconds of the host. "" when it is unknown.
std::string entry_name();

/// The name that programs use for `entry`: "cudaLaunchKernel" for "__cudaLaunchKernel_ptsz",
/// "cuMemAlloc" for "cuMemAlloc_v2", "cublasSgemm" for "cublasSgemm_v2_64".
std::string public_name(std::string entry);

}  // namespace raddle::cuda
