// Memory that the program has registered (cudaHostRegister) and then unmaps without a
// cudaHostUnregister. Kernels and copies that use it have a fault, which names the memory. The
// simulator learns of munmap() at once, and of memory that free() gives back to the system at the
// first access.
#pragma once

#include <csignal>
#include <cstdint>

#include "base/types.h"

namespace raddle::cuda {

/// Memory is registered.
void note_registered(Address from, std::uint64_t bytes);

/// The program unmaps [from, from + bytes). Quick where no byte of it was ever registered.
void host_unmaps(Address from, std::uint64_t bytes);

/// Called in the handler of a signal for a wrong access: names the registered memory on standard
/// error; does nothing for other memory.
void tell_if_registered(const siginfo_t& info);

}  // namespace raddle::cuda
