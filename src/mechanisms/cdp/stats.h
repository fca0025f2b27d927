// What the device runtime counts.
#pragma once

#include "base/stats.h"

namespace raddle::mechanisms::cdp {

struct CdpStats : StatGroup {
  using StatGroup::StatGroup;
  Counter launches{*this, "launches", "grids", "Grids that kernels launched."};
  Counter launched_threads{*this, "launched_threads", "threads",
                           "Threads of them: over launches, the average size."};
  Counter virtual_launches{*this, "virtual_launches", "grids",
                           "Launches beyond the pending ones, in the virtual pool of CUDA 11."};
  Counter refused{*this, "refused", "grids",
                  "Launches that failed: pending ones full, too deep, or impossible."};
  Counter started{*this, "started", "grids", "Of the launched grids those that started."};
  Counter waiting_cycles{
      *this, "waiting_cycles", "SM cycles",
      "From asking for the parameter buffer to the first block, over all that started."};
  Counter call_cycles{*this, "call_cycles", "warps x SM cycles",
                      "Warps waited for calls of the device runtime."};
  Counter pending_peak{*this, "pending_peak", "grids",
                       "The most launches that waited to start at one time."};
  Counter footprint_peak{*this, "footprint_peak", "bytes",
                         "The most memory that parameters and records of launches took."};
  Counter deepest{*this, "deepest", "levels", "The deepest nesting of grids."};
  Counter streams{*this, "streams", "streams", "Streams that kernels created."};
  Counter synchronizations{*this, "synchronizations", "warp calls",
                           "Waits of warps for the children of their block."};
};

/// A counter of the most that a value has been.
inline void raise(Counter& peak, std::uint64_t value) {
  if (value > peak) peak += value - peak;
}

}  // namespace raddle::mechanisms::cdp
