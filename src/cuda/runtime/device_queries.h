// What kernels ask of the runtime (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// reference): answered as the host's calls are.
#pragma once

namespace raddle::cuda {

/// Makes the functions known to programs loaded from now on.
void add_device_queries();
/// What cudaRuntimeGetVersion answers to kernels: that of the runtime which the program links to.
void tell_kernels_the_version(int version);
/// What they are told; 0 in a program without the runtime API.
int version_of_runtime();

}  // namespace raddle::cuda
