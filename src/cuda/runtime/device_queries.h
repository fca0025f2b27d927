// Functions of the runtime API that kernels call (CUDA C++ Programming Guide, "CUDA Dynamic
// Parallelism", API reference). They answer as the host's calls do.
#pragma once

namespace raddle::isa {
class Loader;
}

namespace raddle::cuda {

/// Makes the functions known to programs that `loader` loads.
void add_device_queries(isa::Loader& loader);
/// Sets the answer of cudaRuntimeGetVersion in kernels: the version of the runtime that the program
/// links to.
void tell_kernels_the_version(int version);
/// The version that kernels get; 0 in a program without the runtime API.
int version_of_runtime();

}  // namespace raddle::cuda
