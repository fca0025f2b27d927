// The host program's own memory, of which CUDA was never told: what lies there, and copies that
// survive a wrong address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/types.h"

namespace raddle::memory {

/// What of the host program is at the address ("its stack", "its heap", "a variable or code of
/// prog", "memory of its own"); nothing where nothing is mapped.
std::optional<std::string> host_memory_at(Address address, int process = 0);

/// Whether the host program could read, or write, all of [address, address + bytes). Slow: for
/// explanations.
bool host_may_access(Address address, std::uint64_t bytes, bool write);

/// Copies as memmove does, but is false where a crash would be: when a byte of either side cannot
/// be read or written. Some bytes may have been copied then.
bool copy_if_accessible(void* to, const void* from, std::size_t bytes);

}  // namespace raddle::memory
