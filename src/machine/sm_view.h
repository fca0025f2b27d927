// A multiprocessor and its resident blocks as policies of placement, mechanisms and units of
// multiprocessors see them: what is there, and what it has done so far. Looking changes nothing.
//
//   for (const SmView& sm : path.sms()) {
//     for (const PlacedBlock& block : sm.blocks()) use(block.counts->load_store_full);
//   }
//
// Single blocks are counted only for who says that he looks: Placement::sample_period(),
// Mechanism::counts_blocks().
#pragma once

#include <vector>

#include "machine/dispatch/grid.h"
#include "machine/sm/block_counts.h"

namespace raddle::machine {

class Sm;
struct ResidentBlock;
struct SmStats;  // machine/sm/stats.h

/// A block on a multiprocessor. What it points to lives until the function that was given it returns.
struct PlacedBlock {
  Grid* grid = nullptr;
  const isa::BlockContext* context = nullptr;                    // index
  unsigned sm = ~0u, slot = 0;                                   // where it is
  Cycle since = 0;                                               // its first cycle there
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  // executed there
  /// Of its time there; instructions and what follows are counted only if somebody looks.
  const BlockCounts* counts = nullptr;
  bool leaving = false;    // it has been stopped, to leave
  bool restoring = false;  // it has come back, and its state is still being loaded
  bool dropped = false;    // it has left, and begins anew (DepartureRequest::left alone is told)
  /// Its linear index in its grid or group.
  std::uint64_t number() const;
};

class SmView {
 public:
  explicit SmView(Sm& sm) : sm_(&sm) {}
  unsigned number() const;
  bool has_room(const BlockNeeds& needs) const;
  /// What is not taken, of each resource; and places for blocks.
  const BlockNeeds& room() const;
  unsigned free_blocks() const;
  unsigned resident_blocks() const;
  /// Blocks of that grid, and of groups coalesced onto it.
  unsigned blocks_of(const Grid& grid) const;
  std::vector<PlacedBlock> blocks() const;
  /// f(block) for each of them, in the order of their slots.
  template <class F>
  void for_each_block(F f) const {
    for (unsigned slot = 0; slot < places(); ++slot) {
      if (const PlacedBlock block = at(slot); block.grid != nullptr) f(block);
    }
  }
  /// Places for blocks, free ones too; and what is in one (no grid: nothing).
  unsigned places() const;
  PlacedBlock at(unsigned slot) const;
  /// What has been counted up to count_until(), or up to its last cycle of work.
  const SmStats& statistics() const;
  /// All counters hold up to the end of the cycle before `end`, which is not later than the one after
  /// the present cycle. Between cycles of multiprocessors; a unit, of its own alone, before they
  /// issue: up to the present cycle, which they are already.
  void count_until(Cycle end) const;

  /// The same multiprocessor for another policy (Placement::choose): without room for anything.
  SmView closed() const {
    SmView view = *this;
    view.closed_ = true;
    return view;
  }

 private:
  Sm* sm_;
  bool closed_ = false;
};

/// As others see it.
PlacedBlock placed(const ResidentBlock& block);

}  // namespace raddle::machine
