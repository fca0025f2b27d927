// Memory of the host program that is not registered with CUDA: what lies at an address, and copies
// that survive a wrong address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/types.h"

namespace raddle::memory {

/// What the host program has at the address ("its stack", "its heap", "a variable or code of prog",
/// "memory of its own"); nullopt where nothing is mapped.
std::optional<std::string> host_memory_at(Address address, int process = 0);

/// Whether the host program could read, or write, all of [address, address + bytes). Slow: only for
/// explanations.
bool host_may_access(Address address, std::uint64_t bytes, bool write);

/// Copies like memmove. Returns false where memmove would crash, because a byte of either side
/// cannot be read or written; some bytes may have been copied by then.
bool copy_if_accessible(void* to, const void* from, std::size_t bytes);

}  // namespace raddle::memory
