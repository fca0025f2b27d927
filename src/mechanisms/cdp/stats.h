// Statistics of the device runtime.
#pragma once

#include "base/stats.h"

namespace raddle::mechanisms::cdp {

struct CdpStats : StatGroup {
  using StatGroup::StatGroup;
  Counter launches{*this, "launches", "grids", "Grids that kernels launched."};
  Counter launched_threads{*this, "launched_threads", "threads",
                           "Threads in these grids; divided by launches, the average size."};
  Counter virtual_launches{*this, "virtual_launches", "grids",
                           "Launches beyond pending_launches, in the virtual pool of CUDA 11."};
  Counter refused{*this, "refused", "grids",
                  "Launches that failed: too many pending, too deep, or invalid."};
  Counter started{*this, "started", "grids", "Launched grids that started."};
  Counter waiting_cycles{*this, "waiting_cycles", "SM cycles",
                         "From the request for the parameter buffer to the first block, summed "
                         "over all that started."};
  Counter call_cycles{*this, "call_cycles", "warps x SM cycles",
                      "Time that warps waited for calls of the device runtime."};
  Peak pending_peak{*this, "pending_peak", "grids",
                    "Maximum number of launches waiting to start at one time."};
  Peak footprint_peak{*this, "footprint_peak", "bytes",
                      "Maximum memory taken by parameters and records of launches."};
  Peak deepest{*this, "deepest", "levels", "The deepest nesting of grids."};
  Counter streams{*this, "streams", "streams", "Streams that kernels created."};
  Counter synchronizations{*this, "synchronizations", "warp calls",
                           "Waits of warps for the child grids of their block."};
};

}  // namespace raddle::mechanisms::cdp
