// The kernel distributor and the SMX scheduler. Grids enter from the kernel management unit, and
// the placement policy decides on which multiprocessors their blocks go
// (dynamic-thread-block-launch, sections 2.2, 2.3 and 4.2; machine/placement).
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
  /// `sms`: the multiprocessors that take blocks; not owned.
  Dispatcher(const GpuConfig& config, const std::vector<std::unique_ptr<Sm>>& sms,
             StatGroup& statistics);
  /// The present policy. use() replaces it; call use() before the first launch.
  Placement& policy() { return *policy_; }
  void use(Placement& policy) { policy_ = &policy; }

  /// Hands a grid to the kernel management unit.
  void launch(std::unique_ptr<Grid> grid) { management_.launch(std::move(grid)); }
  /// A grid has ended, with all work that it waited for.
  void ended(const Grid& grid) { management_.ended(grid); }

  /// Called when the first block of a grid is placed (the group is nullptr), or the first block of
  /// a group on the grid.
  using Started = std::function<void(const Grid&, BlockGroup*)>;
  void tell_starts(Started started) { started_ = std::move(started); }
  /// Called when a grid enters the distributor for the first time, before its blocks are placed.
  void tell_entries(std::function<void(const Grid&)> entered) { entered_ = std::move(entered); }
  /// Called when the kernel management unit dispatches a grid.
  void tell_dispatches(KernelManagement::Dispatched dispatched) {
    management_.tell_dispatches(std::move(dispatched));
  }

  /// Moves grids into the distributor and places blocks.
  void cycle(Cycle now);

  /// Whether the policy samples counters of blocks. next_sample() is the cycle of its next sample,
  /// kNever while there is no grid. sample() takes the sample; all counters must be up to date.
  bool samples() const { return policy_->sample_period() != 0; }
  Cycle next_sample() const { return entries_.empty() ? kNever : next_sample_; }
  void sample(Cycle now, DepartureRequests& departures);
  std::span<const SmView> views() const { return views_; }

  /// A block ends or leaves its multiprocessor. It is still there during the call.
  void block_ended(const ResidentBlock& block, bool left);
  /// Counts a block that was asked to leave as soon as it may.
  void asked_to_leave() { ++stats_.asked_to_leave; }
  /// Called when a block that had left has been placed again.
  void tell_returns(std::function<void(const ResidentBlock&)> returned) {
    returned_ = std::move(returned);
  }

  /// Adds a group to the pool of a grid in the distributor. If all blocks of the grid were placed,
  /// the grid is marked again and waits for its turn behind the grids that are marked.
  void add_group(Grid& grid, BlockGroup& group);

  /// A block of a grid in the distributor has left its multiprocessor: because it was asked to
  /// (`preempted`), or because it waits for other work. A block that waits stays away until
  /// resume(). A grid that has no other blocks left leaves the distributor, and the kernel
  /// management unit holds it (section 2.4). A block that can continue gets the next free place:
  /// before new blocks of its grid and of grids with the same priority, but after more urgent
  /// grids. Blocks of a cooperative grid come first of all, because the grid was promised that all
  /// its blocks run at the same time.
  void swapped_out(Grid& grid, std::unique_ptr<SwappedBlock> swapped, bool preempted);
  /// A swapped block can continue. It is placed like a new block, but before new blocks of its
  /// grid. Has no effect if the block waits for a place already.
  void resume(const isa::BlockContext& block, Cycle now);

  /// A multiprocessor has room again, or the policy wants to be asked again.
  void room_freed() { blocked_ = false; }

  /// Takes out the grids that have ended by cycle `now`, in the order in which they entered. A grid
  /// has ended when all its blocks have ended; for a grid from the host, dispatch.end_latency must
  /// also be over.
  std::vector<std::unique_ptr<Grid>> take_ended(Cycle now);
  /// The first cycle in which this latency is over for a grid; kNever: no grid waits for it.
  Cycle next_end() const { return next_end_; }

  /// Ends the grids of this client early. Waiting grids enter the distributor and end there. The
  /// others end when the last of their blocks has left (Departures::doom).
  void doom(unsigned client, Cycle now);
  /// A block of a doomed grid has left for good.
  void discarded(Grid& grid, Cycle now);

  /// Drops all grids.
  void drop_all();

  /// The first cycle in which cycle() can do anything: 0 for at once, kNever if it must wait for
  /// room on a multiprocessor.
  Cycle wake() const;
  bool idle() const { return management_.empty() && entries_.empty() && suspended_.empty(); }
  bool has(GridId id) const;
  const std::vector<std::unique_ptr<Grid>>& running() const { return entries_; }
  /// Suspended grids, which wait outside the distributor.
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
  std::vector<std::unique_ptr<Grid>> entries_;  // grids in the distributor
  std::vector<Grid*> marked_;  // grids that have blocks to place, in the order of their turns
  std::vector<std::unique_ptr<Grid>> suspended_;
  std::map<const isa::BlockContext*, Away> away_;
  std::deque<Away> to_resume_;  // in the order in which they could continue
  unsigned capacity_;
  Cycle counted_before_, end_latency_;
  Cycle next_end_ = kNever;
  Pace pace_;  // limits the rate of block placement
  const std::vector<std::unique_ptr<Sm>>& sms_;
  std::vector<SmView> views_;  // of `sms_`
  std::unique_ptr<Placement> configured_;
  Placement* policy_;
  std::vector<Candidate> offered_;
  Cycle next_sample_ = 0;
  bool blocked_ = false;          // the policy has placed none of the offered blocks
  Cycle group_loaded_ = 0;        // when the group whose turn it is can be placed
  Cycle others_loaded_ = kNever;  // while blocked: when another group can be offered
  Started started_;
  std::function<void(const Grid&)> entered_;
  std::function<void(const ResidentBlock&)> returned_;
  DispatchStats& stats_;
};

}  // namespace raddle::machine
