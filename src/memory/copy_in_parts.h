// Long copies by several host threads. They are limited by the first access to memory, and by the
// bandwidth of one thread.
#pragma once

#include <cstddef>
#include <functional>

namespace raddle::memory {

/// Calls `copy` with the offset and bytes of each part of a copy of `bytes` bytes, on up to
/// `threads` threads at once. Short copies are one part. Returns whether `copy` returned true for
/// every part.
bool copy_in_parts(std::size_t bytes, unsigned threads,
                   const std::function<bool(std::size_t offset, std::size_t bytes)>& copy);

}  // namespace raddle::memory
