// Addresses in words, for people.
#pragma once

#include <string>

#include "memory/address_space.h"

namespace raddle::memory {

/// "'cudaMalloc #1' (freed, device memory, 100 bytes at 0x200000000000)".
std::string allocation_text(const Allocation& allocation);

/// Where `bytes` bytes at an address lie in the allocation around or nearest to them: "byte 4 of
/// 'x' (...)", "from byte 0 to 1 bytes past the end of 'x' (...)", "8 bytes before the start of 'x'
/// (...)"; or that they are the host program's.
std::string place_text(const AddressSpace& space, Address address, std::uint64_t bytes);

/// Whether an address is one that AddressSpace hands out, so that it is memory only where there is
/// an allocation. (Where the host has put managed memory elsewhere, of that nothing is known.)
bool is_simulated(Address address);

}  // namespace raddle::memory
