// The kernel distributor and the SMX scheduler: grids enter from the kernel management unit, and
// their blocks go to multiprocessors with room, first grid first (dynamic-thread-block-launch,
// sections 2.2, 2.3 and 4.2).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "machine/dispatch/config.h"
#include "machine/dispatch/grid.h"
#include "machine/dispatch/kernel_management.h"
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
};

class Dispatcher {
 public:
  Dispatcher(const DispatchConfig& config, StatGroup& statistics);

  /// Hands a grid to the kernel management unit.
  void launch(std::unique_ptr<Grid> grid) { management_.launch(std::move(grid)); }
  /// A grid has ended with all that it waited for.
  void ended(const Grid& grid) { management_.ended(grid); }

  /// Called when the first block of a grid (the group: nullptr) or of a group on it is placed.
  using Started = std::function<void(const Grid&, BlockGroup*)>;
  void tell_starts(Started started) { started_ = std::move(started); }
  /// Called when the kernel management unit sends a grid on its way.
  void tell_dispatches(KernelManagement::Dispatched dispatched) {
    management_.tell_dispatches(std::move(dispatched));
  }

  /// Moves grids into the distributor and places blocks.
  void cycle(std::vector<std::unique_ptr<Sm>>& sms, Cycle now);

  /// Adds a group to the pool of a grid in the distributor. A grid whose blocks were all placed is
  /// marked again and waits its turn behind those that are marked.
  void add_group(Grid& grid, BlockGroup& group);

  /// A block of a grid in the distributor has left its SM, because it was asked to (`preempted`) or
  /// to wait for others' work. One that waits for that stays away until resume(); a grid that has no
  /// other blocks any more leaves the distributor (section 2.4: the kernel management unit holds
  /// it). One that could go on gets the next place that is free: before new blocks of its grid and
  /// of grids of the same priority, behind more urgent grids. A cooperative grid was promised that
  /// its blocks run all at once, and comes first of all.
  void swapped_out(Grid& grid, std::unique_ptr<Sm::Swapped> swapped, bool preempted);
  /// A swapped block can go on: it is placed like new ones, but before those of its grid. Nothing
  /// if it waits for a place already.
  void resume(const isa::BlockContext& block, Cycle now);

  /// An SM has room again.
  void room_freed() { blocked_ = false; }

  /// Takes grids out whose blocks have all ended, in the order in which they entered.
  std::vector<std::unique_ptr<Grid>> take_ended();

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
    std::unique_ptr<Sm::Swapped> swapped;
  };

  void enter(Cycle now);
  void suspend();
  bool place_swapped(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now);
  void mark(Grid& grid);
  void mark_first(Grid& grid);
  void insert_marked(std::vector<Grid*>::iterator place, Grid& grid);
  bool place_one(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now);
  bool place_of_group(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now);
  Sm* choose(const Grid& grid, std::vector<std::unique_ptr<Sm>>& sms);
  std::size_t free_entries() const { return capacity_ - entries_.size(); }

  KernelManagement management_;
  std::vector<std::unique_ptr<Grid>> entries_;  // of the distributor
  std::vector<Grid*> marked_;                   // have blocks to be placed, in order of their turns
  std::vector<std::unique_ptr<Grid>> suspended_;
  std::map<const isa::BlockContext*, Away> away_;
  std::deque<Away> to_resume_;  // in the order in which they could
  unsigned capacity_, blocks_per_cycle_;
  bool most_room_;
  bool blocked_ = false;    // no SM has room for the next block
  Cycle group_loaded_ = 0;  // when the group whose turn it is can be placed
  std::size_t next_sm_ = 0;
  Started started_;
  DispatchStats stats_;
};

}  // namespace raddle::machine
