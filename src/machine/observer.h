// Events of a running machine for tools: blocks that start and end, grids that end, and samples of
// the counters.
#pragma once

#include "machine/gpu.h"

namespace raddle::machine {

/// Requests that wait in the queues of the memory side, over the whole GPU.
struct QueueDepths {
  unsigned network = 0;  // waiting at the multiprocessors to be sent
  unsigned l2 = 0;       // at the L2 slices' inputs
  unsigned dram = 0;     // at the DRAM channels, waiting or being scheduled
};

/// Called by one thread, between the phases of a cycle, in an order that does not depend on the
/// number of host threads. An observer changes no result. Cycles do not decrease from call to call,
/// except a block's first cycle, which may be reported one cycle early.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A block of `grid` was put into slot `slot` of multiprocessor `sm`; its first cycle there is
  /// `at`.
  virtual void block_started(const GridRecord& grid, const Dim3& index, unsigned sm, unsigned slot,
                             Cycle at) = 0;
  /// The block in that slot left; its last cycle was `at` - 1.
  virtual void block_ended(unsigned sm, unsigned slot, std::uint64_t warp_instructions,
                           Cycle at) = 0;
  virtual void grid_ended(const GridRecord& grid) = 0;
  /// Called at the first cycle with work after each sampling period; the counters hold up to `now`.
  virtual void sample(Cycle now, const QueueDepths& queues) = 0;
};

}  // namespace raddle::machine
