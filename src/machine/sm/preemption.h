// Blocks that leave the multiprocessor before their end and come back, to the same or another
// multiprocessor. They leave because they are asked to (thread-block-management, section V.A), or
// because their warps wait for work of other blocks (dynamic-thread-block-launch, section 2.4: a
// waiting parent yields to its children).
//
// A block that leaves issues nothing more. When its operations in flight have ended, its state is
// stored through the SM's port. Its place becomes free when all stores have been acknowledged. When
// the block has a place again, its state is loaded, and its warps continue where they stopped.
#pragma once

#include <memory>
#include <vector>

#include "machine/context_memory.h"
#include "machine/sm/residency.h"
#include "machine/sm/state_mover.h"

namespace raddle::machine {

/// A block away from its SM, with its warps.
struct SwappedBlock {
  std::unique_ptr<ResidentBlock> block;
  std::vector<std::unique_ptr<WarpSlot>> warps;
  std::vector<std::uint32_t> stretches;  // [warp]: its stretch of local memory
  bool dropped = false;                  // its state is dropped: it begins anew
  /// Each of its warps that has not ended waits to be woken, or waits for warps that do.
  bool waits() const;
};

/// All functions are called between cycles.
class Preemption {
 public:
  struct Parts {
    WarpTable& warps;
    LoadStore& memory;
    AttachedUnits& attached;
    WarpProgress& progress;
    Residency& residency;
    WarpEvents& events;
    IssueAccounts& accounts;
    Charges& charges;
    isa::GlobalPort& global;
    SmClock& clock;
    StateMover& mover;
    ContextMemory& contexts;
    PreemptionStats& stats;
  };
  explicit Preemption(const Parts& parts) : p_(parts) {}

  /// No warp of the block can continue before Sm::wake_warp(), and it has no operation in flight.
  bool stuck(const ResidentBlock& block) const;
  /// Whether the block can be asked to leave: it is not about to end, leave or come.
  bool can_leave(const ResidentBlock& block) const;
  /// Its warps issue nothing from this call on. With Insistence::unless_woken, Sm::wake_warp() lets
  /// them issue again.
  void stop(ResidentBlock& block, const DepartureRequest& request, Cycle now);
  /// Whether a drained block can begin anew: as far as counters show, no other block has seen an
  /// effect of it, and its request allows it. A block begins anew at most once, so that it comes to
  /// its end.
  bool can_drop(const ResidentBlock& block) const {
    return block.drops && block.departures == 0 && p_.charges.counts_blocks() &&
           block.counts.visible == 0;
  }
  /// The block has no operation in flight.
  bool drained(const ResidentBlock& block) const;
  /// Begins to store the state of a drained block.
  void save(ResidentBlock& block, Cycle now);
  bool saved(const ResidentBlock& block) const { return p_.mover.done(block.transfer); }
  /// Takes a saved block away, or a block that can_drop() without its state.
  std::unique_ptr<SwappedBlock> swap_out(ResidentBlock& block, Cycle now);
  /// Brings a block back, to a place for which has_room() was true. Its warps continue when its
  /// state has been loaded.
  const ResidentBlock& swap_in(std::unique_ptr<SwappedBlock> swapped, Cycle now);
  /// The block never comes back.
  void discard(std::unique_ptr<SwappedBlock> swapped);
  /// Warps of a block that is leaving, or whose state has been loaded, continue from the next cycle
  /// on.
  void resume(ResidentBlock& block, Cycle now);

  /// Number of blocks whose state is being loaded.
  unsigned restoring() const { return restoring_; }
  /// Blocks whose state has been loaded completely continue.
  void resume_restored(Cycle now);

 private:
  void enter(ResidentBlock& block, ResidentBlock::Presence presence, Cycle at);
  std::uint64_t state_bytes(const ResidentBlock& block) const;
  const ResidentBlock& begin_anew(const SwappedBlock& swapped, Cycle now);
  void take_slot(ResidentBlock& block, std::size_t n, SwappedBlock& swapped);

  Parts p_;
  unsigned restoring_ = 0;
};

}  // namespace raddle::machine
