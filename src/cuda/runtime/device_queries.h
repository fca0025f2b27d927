// What kernels ask of the runtime (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// reference): answered as the host's calls are.
#pragma once

namespace raddle::cuda {

/// Makes the functions known to programs loaded from now on.
void add_device_queries();

}  // namespace raddle::cuda
