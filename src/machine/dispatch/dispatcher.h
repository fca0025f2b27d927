// The kernel distributor and the SMX scheduler: grids enter from the kernel management unit, and
// their blocks go to multiprocessors as the placement policy says (dynamic-thread-block-launch,
// sections 2.2, 2.3 and 4.2; machine/placement).
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/pace.h"
#include "machine/dispatch/config.h"
#include "machine/dispatch/grid.h"
#include "machine/dispatch/kernel_management.h"
#include "machine/placement/placement.h"
#include "machine/sm/sm.h"

namespace raddle::machine {

struct DispatchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter grids{*this, "grids", "grids", "Grids that entered the kernel distributor."};
  Counter blocks{*this, "blocks", "blocks", "Blocks placed on SMs."};
  Counter group_blocks{*this, "group_blocks", "blocks",
                       "Of these, blocks of groups coalesced onto a running grid."};
  Counter swapped_blocks{*this, "swapped_blocks", "blocks",
                         "Blocks that left their SM to wait for other work."};
  Counter preempted_blocks{*this, "preempted_blocks", "blocks",
                           "Blocks that left their SM because they were asked to."};
  Counter asked_to_leave{*this, "asked_to_leave", "blocks",
                         "Blocks that the placement policy asked to leave their SM."};
  Peak resident_grids_peak{*this, "resident_grids_peak", "grids",
                           "Maximum number of grids in the kernel distributor."};
};

class Dispatcher {
 public:
  /// `sms`: those that blocks are placed on; not owned.
  Dispatcher(const GpuConfig& config, const std::vector<std::unique_ptr<Sm>>& sms,
             StatGroup& statistics);
  /// The policy; and another one from now on, before the first launch.
  Placement& policy() { return *policy_; }
  void use(Placement& policy) { policy_ = &policy; }

  /// Hands a grid to the kernel management unit.
  void launch(std::unique_ptr<Grid> grid) { management_.launch(std::move(grid)); }
  /// A grid has ended with all that it waited for.
  void ended(const Grid& grid) { management_.ended(grid); }

  /// Called when the first block of a grid (the group: nullptr) or of a group on it is placed.
  using Started = std::function<void(const Grid&, BlockGroup*)>;
  void tell_starts(Started started) { started_ = std::move(started); }
  /// Called when a grid enters the distributor for the first time, before its blocks are placed.
  void tell_entries(std::function<void(const Grid&)> entered) { entered_ = std::move(entered); }
  /// Called when the kernel management unit sends a grid on its way.
  void tell_dispatches(KernelManagement::Dispatched dispatched) {
    management_.tell_dispatches(std::move(dispatched));
  }

  /// Moves grids into the distributor and places blocks.
  void cycle(Cycle now);

  /// Whether the policy looks at counters of blocks; the next cycle in which it wants to, kNever
  /// while there is no grid; and that look, when all counters are up to date.
  bool samples() const { return policy_->sample_period() != 0; }
  Cycle next_sample() const { return entries_.empty() ? kNever : next_sample_; }
  void sample(Cycle now, DepartureRequests& departures);
  std::span<const SmView> views() const { return views_; }

  /// A block ends, or leaves its multiprocessor, and is still there.
  void block_ended(const ResidentBlock& block, bool left);
  /// A block was asked to leave as soon as it may.
  void asked_to_leave() { ++stats_.asked_to_leave; }
  /// Called when a block that had left has been placed.
  void tell_returns(std::function<void(const ResidentBlock&)> returned) {
    returned_ = std::move(returned);
  }

  /// Adds a group to the pool of a grid in the distributor. A grid whose blocks were all placed is
  /// marked again and waits its turn behind those that are marked.
  void add_group(Grid& grid, BlockGroup& group);

  /// A block of a grid in the distributor has left its SM, because it was asked to (`preempted`) or
  /// to wait for others' work. One that waits for that stays away until resume(); a grid that has no
  /// other blocks any more leaves the distributor (section 2.4: the kernel management unit holds
  /// it). One that could go on gets the next place that is free: before new blocks of its grid and
  /// of grids of the same priority, behind more urgent grids. A cooperative grid was promised that
  /// its blocks run all at once, and comes first of all.
  void swapped_out(Grid& grid, std::unique_ptr<SwappedBlock> swapped, bool preempted);
  /// A swapped block can go on: it is placed like new ones, but before those of its grid. Nothing
  /// if it waits for a place already.
  void resume(const isa::BlockContext& block, Cycle now);

  /// An SM has room again, or the policy wants to be asked again.
  void room_freed() { blocked_ = false; }

  /// Takes grids out that have ended by cycle `now`, in the order in which they entered: all their
  /// blocks have, and for those of the host dispatch.end_latency is over.
  std::vector<std::unique_ptr<Grid>> take_ended(Cycle now);
  /// The first cycle in which that latency is over for a grid; kNever: no grid waits for it.
  Cycle next_end() const { return next_end_; }

  /// Grids of this client end before their time: those that wait come to the distributor and end there,
  /// and the others when the last of their blocks has left (Departures::doom).
  void doom(unsigned client, Cycle now);
  /// A block of a doomed grid has left for good.
  void discarded(Grid& grid, Cycle now);

  /// Forgets all grids.
  void drop_all();

  /// The first cycle in which cycle() can do anything: 0 for at once, kNever if only after an SM
  /// has room.
  Cycle wake() const;
  bool idle() const { return management_.empty() && entries_.empty() && suspended_.empty(); }
  bool has(GridId id) const;
  const std::vector<std::unique_ptr<Grid>>& running() const { return entries_; }
  /// Those that wait outside of it, suspended.
  const std::vector<std::unique_ptr<Grid>>& suspended() const { return suspended_; }

 private:
  struct Away {
    Grid* grid = nullptr;
    std::unique_ptr<SwappedBlock> swapped;
  };

  void enter(Cycle now);
  void give_up_rest(Grid& grid, Cycle now);
  std::unique_ptr<Grid> leave(std::vector<std::unique_ptr<Grid>>::iterator& entry);
  void suspend();
  void mark(Grid& grid);
  void mark_first(Grid& grid);
  void insert_marked(std::vector<Grid*>::iterator place, Grid& grid);
  void offer_changed();
  void offer(Cycle now);
  void offer_of(Grid& grid, Cycle now);
  bool place_one(Cycle now);
  const ResidentBlock& place(const Candidate& block, Sm& sm, Cycle now);
  const ResidentBlock& place_fresh(const Candidate& block, Sm& sm, Cycle now);
  const ResidentBlock& place_of_group(const Candidate& block, Sm& sm, Cycle now);
  const ResidentBlock& place_returning(const Candidate& block, Sm& sm, Cycle now);
  std::size_t free_entries() const { return capacity_ - entries_.size(); }

  KernelManagement management_;
  std::vector<std::unique_ptr<Grid>> entries_;  // of the distributor
  std::vector<Grid*> marked_;                   // have blocks to be placed, in order of their turns
  std::vector<std::unique_ptr<Grid>> suspended_;
  std::map<const isa::BlockContext*, Away> away_;
  std::deque<Away> to_resume_;  // in the order in which they could
  unsigned capacity_;
  Cycle counted_before_, end_latency_;
  Cycle next_end_ = kNever;
  Pace pace_;  // of placing blocks
  const std::vector<std::unique_ptr<Sm>>& sms_;
  std::vector<SmView> views_;  // of them
  std::unique_ptr<Placement> configured_;
  Placement* policy_;
  std::vector<Candidate> offered_;
  Cycle next_sample_ = 0;
  bool blocked_ = false;          // the policy lets all wait
  Cycle group_loaded_ = 0;        // when the group whose turn it is can be placed
  Cycle others_loaded_ = kNever;  // while all wait: when a group can be offered besides
  Started started_;
  std::function<void(const Grid&)> entered_;
  std::function<void(const ResidentBlock&)> returned_;
  DispatchStats& stats_;
};

}  // namespace raddle::machine
