// What kernels ask of the runtime (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// reference): answered as the host's calls are.
#pragma once

namespace raddle::isa {
class Loader;
}

namespace raddle::cuda {

/// Makes the functions known to programs that `loader` loads.
void add_device_queries(isa::Loader& loader);
/// What cudaRuntimeGetVersion answers to kernels: that of the runtime which the program links to.
void tell_kernels_the_version(int version);
/// What they are told; 0 in a program without the runtime API.
int version_of_runtime();

}  // namespace raddle::cuda
