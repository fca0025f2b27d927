// A multiprocessor and its resident blocks, as placement policies, mechanisms and units of
// multiprocessors see them: the present state and the counts so far. A view changes nothing.
//
//   for (const SmView& sm : path.sms()) {
//     for (const PlacedBlock& block : sm.blocks()) use(block.counts->load_store_full);
//   }
//
// Single blocks are counted only if a user asks for it: Placement::sample_period(),
// Mechanism::counts_blocks().
#pragma once

#include <vector>

#include "machine/dispatch/grid.h"
#include "machine/sm/block_counts.h"

namespace raddle::machine {

class Sm;
struct ResidentBlock;
struct SmStats;  // machine/sm/stats.h

/// A block on a multiprocessor. Its pointers are valid until the function that received it returns.
struct PlacedBlock {
  Grid* grid = nullptr;
  const isa::BlockContext* context = nullptr;                    // index
  unsigned sm = ~0u, slot = 0;                                   // where it is
  Cycle since = 0;                                               // its first cycle there
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  // executed there
  /// Counts of its time there; instructions and the fields after them are counted only on request.
  const BlockCounts* counts = nullptr;
  bool leaving = false;    // it has been stopped and will leave
  bool restoring = false;  // it has come back; its state is still being loaded
  bool dropped = false;    // it has left and begins anew (only DepartureRequest::left sees this)
  /// Its linear index in its grid or group.
  std::uint64_t number() const;
};

class SmView {
 public:
  explicit SmView(Sm& sm) : sm_(&sm) {}
  unsigned number() const;
  bool has_room(const BlockNeeds& needs) const;
  /// The free amount of each resource, and the number of free places for blocks.
  const BlockNeeds& room() const;
  unsigned free_blocks() const;
  unsigned resident_blocks() const;
  /// Number of blocks of that grid, and of groups coalesced onto it.
  unsigned blocks_of(const Grid& grid) const;
  std::vector<PlacedBlock> blocks() const;
  /// Calls f(block) for each block, in the order of their slots.
  template <class F>
  void for_each_block(F f) const {
    for (unsigned slot = 0; slot < places(); ++slot) {
      if (const PlacedBlock block = at(slot); block.grid != nullptr) f(block);
    }
  }
  /// Number of places for blocks, including free ones; and the block in one place (grid is nullptr:
  /// free).
  unsigned places() const;
  PlacedBlock at(unsigned slot) const;
  /// Counts up to count_until(), or up to its last cycle of work.
  const SmStats& statistics() const;
  /// Brings all counters up to the end of cycle `end` - 1; `end` is at most the present cycle + 1.
  /// Call it between cycles of the multiprocessors. A unit may also call it for its own
  /// multiprocessor before the warps issue; its counters then include all earlier cycles already.
  void count_until(Cycle end) const;

  /// A view of the same multiprocessor for another policy (Placement::choose) in which nothing has
  /// room.
  SmView closed() const {
    SmView view = *this;
    view.closed_ = true;
    return view;
  }

 private:
  Sm* sm_;
  bool closed_ = false;
};

/// The public view of a resident block.
PlacedBlock placed(const ResidentBlock& block);

}  // namespace raddle::machine
