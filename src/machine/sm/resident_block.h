// A thread block on an SM; later blocks reuse the storage.
#pragma once

#include <vector>

#include "isa/block_context.h"
#include "machine/context_memory.h"
#include "machine/departure.h"
#include "machine/dispatch/grid.h"
#include "machine/scheduler/warp_scheduler.h"
#include "machine/sm/block_counts.h"
#include "machine/warp/barrier.h"

namespace raddle::machine {

struct ResidentBlock {
  Grid* grid = nullptr;  // nullptr: vacant
  isa::BlockContext context;
  BlockBarriers barriers;
  BlockNeeds needs;
  std::vector<std::uint8_t> warps;  // [warp in block]: its slot
  unsigned running = 0;             // warps that have not ended
  Cycle since = 0;                  // its first cycle here
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  BlockCounts counts;  // after Sm::count_blocks()
  std::vector<std::byte> shared, local;

  // Leaving before its end (preemption.cpp).
  enum class Presence : std::uint8_t {
    running,    // or waiting for work of others: it may leave
    draining,   // issues nothing; operations in flight end
    saving,     // its state is stored
    restoring,  // it has come back, and its state is loaded
  } presence = Presence::running;
  bool forced = false;             // it leaves even if its warps could continue
  bool drops = false;              // its state is dropped, if others have seen no effect of it
  StatePath path = StatePath::l2;  // for its state
  bool considered = false;         // all its warps wait, and it was decided whether it leaves
  std::uint64_t departures = 0;    // so far
  Cycle present_since = 0;         // when presence last changed
  std::uint32_t transfer = 0;      // its number in StateMover
  std::uint64_t saved_bytes = 0;   // bytes to be restored
  ContextMemory::Place place;      // where its state is saved while it is away
  bool leaving() const { return presence == Presence::draining || presence == Presence::saving; }

  /// Adds the instructions that it executed here to the grid's record.
  void tell_grid() const {
    grid->record.warp_instructions += warp_instructions;
    grid->record.thread_instructions += thread_instructions;
  }
  /// Its linear index in its grid or group.
  std::uint64_t linear_index() const {
    const Dim3& size = context.grid->grid;
    return context.index.x +
           std::uint64_t{size.x} * (context.index.y + std::uint64_t{size.y} * context.index.z);
  }
};

}  // namespace raddle::machine
