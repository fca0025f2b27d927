// Blocks that leave the multiprocessor before their end and come back, to this or another one:
// because they are asked to (thread-block-management, section V.A), or because their warps wait for
// work that others do (dynamic-thread-block-launch, section 2.4: a parent that waits yields to its
// children).
//
// A block that leaves issues nothing more. When what it has under way has ended, its state is stored
// through the SM's port, and its place becomes free when all of that has been acknowledged. When it
// has a place again, its state is loaded, and its warps go on where they stopped.
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
  std::vector<std::uint32_t> stretches;  // [warp]: of local memory
  bool dropped = false;                  // its state is: it begins anew
  /// All its warps that have not ended wait to be woken, or for those that do.
  bool waits() const;
};

/// All but cycle() is called between cycles.
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

  /// No warp of the block can go on before Sm::wake_warp(), and nothing of it is under way.
  bool stuck(const ResidentBlock& block) const;
  /// Whether the block can be asked to leave: it is not about to end, leave or come.
  bool can_leave(const ResidentBlock& block) const;
  /// Its warps issue nothing more from now on. Insistence::unless_woken: until Sm::wake_warp() brings
  /// them back to work.
  void stop(ResidentBlock& block, const DepartureRequest& request, Cycle now);
  /// Whether a drained block can begin anew: nobody else has seen anything of what it has done, as far
  /// as that was counted, and its request allows it. Once at most, so that it comes to its end.
  bool can_drop(const ResidentBlock& block) const {
    return block.drops && block.departures == 0 && p_.charges.counts_blocks() &&
           block.counts.visible == 0;
  }
  /// Nothing of it is under way.
  bool drained(const ResidentBlock& block) const;
  /// Begins to store the state of a drained block.
  void save(ResidentBlock& block, Cycle now);
  bool saved(const ResidentBlock& block) const { return p_.mover.done(block.transfer); }
  /// Takes a saved block away; or, without its state, one that can_drop().
  std::unique_ptr<SwappedBlock> swap_out(ResidentBlock& block, Cycle now);
  /// Brings it back, to a place for which has_room() was true; its warps go on when its state has
  /// been loaded.
  const ResidentBlock& swap_in(std::unique_ptr<SwappedBlock> swapped, Cycle now);
  /// It never comes back.
  void discard(std::unique_ptr<SwappedBlock> swapped);
  /// The warps of a block that is leaving, or whose state has come, go on from the next cycle on.
  void resume(ResidentBlock& block, Cycle now);

  /// Blocks whose state is on its way to here.
  unsigned restoring() const { return restoring_; }
  /// Those of which all state has come go on.
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
