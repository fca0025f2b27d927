// Long copies by several threads of the host: what takes the time is memory that is touched for the
// first time, and one thread's bandwidth.
#pragma once

#include <cstddef>
#include <functional>

namespace raddle::memory {

/// Calls `copy` with the offset and bytes of each part of a copy of `bytes` bytes, on up to `threads`
/// threads at once; short copies are one part. True if `copy` is for every part.
bool copy_in_parts(std::size_t bytes, unsigned threads,
                   const std::function<bool(std::size_t offset, std::size_t bytes)>& copy);

}  // namespace raddle::memory
