// The kernel distributor: grids enter it in order, and their blocks go to multiprocessors with
// room, first grid first (dynamic-thread-block-launch, sections 2.2 and 2.3).
#pragma once

#include <memory>
#include <vector>

#include "machine/dispatch/config.h"
#include "machine/dispatch/grid.h"
#include "machine/sm/sm.h"

namespace raddle::machine {

struct DispatchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter grids{*this, "grids", "grids", "Grids that entered the kernel distributor."};
  Counter blocks{*this, "blocks", "blocks", "Blocks placed on SMs."};
};

class Dispatcher {
 public:
  Dispatcher(const DispatchConfig& config, StatGroup& statistics);

  /// Queues a grid; it enters the distributor at Grid::ready or when an entry is free. Lower
  /// priority numbers go first, then earlier launches.
  void launch(std::unique_ptr<Grid> grid);

  /// Moves grids that are ready into the distributor and places blocks.
  void cycle(std::vector<std::unique_ptr<Sm>>& sms, Cycle now);

  /// An SM has room again.
  void room_freed() { blocked_ = false; }

  /// Takes grids out whose blocks have all ended, in the order in which they entered.
  std::vector<std::unique_ptr<Grid>> take_ended();

  /// Forgets all grids.
  void drop_all();

  /// The first cycle in which cycle() can do anything: 0 for at once, kNever if only after an SM
  /// has room.
  Cycle wake() const;
  bool idle() const { return queue_.empty() && entries_.empty(); }
  const Grid* find(GridId id) const;
  const std::vector<std::unique_ptr<Grid>>& running() const { return entries_; }

 private:
  void enter(Cycle now);
  bool place_one(Grid& grid, std::vector<std::unique_ptr<Sm>>& sms, Cycle now);
  Sm* choose(const Grid& grid, std::vector<std::unique_ptr<Sm>>& sms);
  Grid* first_unplaced() const;

  std::vector<std::unique_ptr<Grid>> queue_;    // waiting for the distributor
  std::vector<std::unique_ptr<Grid>> entries_;  // in the distributor
  unsigned capacity_, blocks_per_cycle_;
  bool most_room_;
  bool blocked_ = false;  // no SM has room for the next block
  std::size_t next_sm_ = 0;
  DispatchStats stats_;
};

}  // namespace raddle::machine
