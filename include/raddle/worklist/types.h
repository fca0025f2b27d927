// What all parts of a worklist agree on.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace raddle::worklist {

/// What a pull gives when it gives no work id: nothing here now, or nothing any more. Work ids are
/// less than both (on the hardware worklist, less than 2^24 by default).
inline constexpr std::uint32_t kWait = 0xfffffffe, kDone = 0xffffffff;

/// Whether a kernel pulls what it pushes itself (single), or only what kernels before it have pushed.
enum class Buffering { single_buffered, double_buffered };

/// How many pushes share an atomic operation.
enum class Push {
  thread,  // none: one for each push
  warp,    // those of the lanes that push together
  chunk,   // those that a thread makes for a work id
  block    // those of a block's threads for a work id each (prefix sum; the block in lockstep)
};

/// How many blocks launch() takes: as many as the GPU holds, or of them as many as have work.
enum class Blocks { resident, variable };

/// The worklist was too small, or CUDA failed.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// More work ids were pushed than there was room for, and work is missing. A capacity of `needed`
/// would have held those pushed so far.
struct Overflow : Error {
  Overflow(std::uint64_t capacity, std::uint64_t needed)
      : Error("worklist overflow: it holds " + std::to_string(capacity) +
              " work ids, and room for " + std::to_string(needed) + " was needed"),
        needed(needed) {}
  std::uint64_t needed;
};

}  // namespace raddle::worklist
