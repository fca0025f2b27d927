// Readable descriptions of addresses.
#pragma once

#include <string>

#include "memory/address_space.h"

namespace raddle::memory {

/// "'cudaMalloc #1' (freed, device memory, 100 bytes at 0x200000000000)".
std::string allocation_text(const Allocation& allocation);

/// The place of `bytes` bytes at an address in the allocation around them or nearest to them: "byte
/// 4 of 'x' (...)", "from byte 0 to 1 bytes past the end of 'x' (...)", "8 bytes before the start
/// of 'x' (...)"; or the text that they belong to the host program.
std::string place_text(const AddressSpace& space, Address address, std::uint64_t bytes);

/// Whether AddressSpace may hand out this address, so that it is only memory inside an allocation.
/// (Does not know managed memory that the host has placed elsewhere.)
bool is_simulated(Address address);

}  // namespace raddle::memory
