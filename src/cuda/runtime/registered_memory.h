// Memory of the program's own that it has registered (cudaHostRegister) and then takes away without a
// cudaHostUnregister: kernels and copies that use it then have a fault, which names it. What munmap()
// takes is known at once; of what free() gives back to the system, the first access tells.
#pragma once

#include <csignal>
#include <cstdint>

#include "base/types.h"

namespace raddle::cuda {

/// Memory is registered.
void note_registered(Address from, std::uint64_t bytes);

/// The program takes [from, from + bytes) away. Quick where none of it was ever registered.
void host_unmaps(Address from, std::uint64_t bytes);

/// In the handler of a signal for a wrong access: says on standard error which registered memory it
/// was; nothing for other memory.
void tell_if_registered(const siginfo_t& info);

}  // namespace raddle::cuda
