// Types that all parts of a worklist share.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace raddle::worklist {

/// Results of a pull without a work id: none at present (kWait), or none ever again (kDone). Work
/// ids are less than both (on the hardware worklist, less than 2^24 by default).
inline constexpr std::uint32_t kWait = 0xfffffffe, kDone = 0xffffffff;

/// Whether a kernel pulls work ids that it pushes itself (single), or only those of earlier
/// kernels.
enum class Buffering { single_buffered, double_buffered };

/// How many pushes share an atomic operation.
enum class Push {
  thread,  // one atomic operation a push
  warp,    // one for the lanes that push together
  chunk,   // one for the pushes of a thread for one work id
  block    // one for the pushes of a block, a work id a thread (prefix sum; in lockstep)
};

/// How many blocks launch() starts: as many as the GPU holds at a time, or only those that have
/// work.
enum class Blocks { resident, variable };

/// The worklist was too small, or CUDA failed.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// More work ids were pushed than the list holds, and work is lost. A capacity of `needed` would
/// have held all pushed so far.
struct Overflow : Error {
  Overflow(std::uint64_t capacity, std::uint64_t needed)
      : Error("worklist overflow: it holds " + std::to_string(capacity) +
              " work ids, and room for " + std::to_string(needed) + " was needed"),
        needed(needed) {}
  std::uint64_t needed;
};

}  // namespace raddle::worklist
