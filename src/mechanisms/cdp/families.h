// Which work waits for which: grids, the work that they have launched, and the work that follows
// them.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mechanisms/cdp/environment.h"
#include "mechanisms/cdp/errors.h"
#include "mechanisms/cdp/launch_limit.h"
#include "mechanisms/cdp/parameter_pool.h"
#include "mechanisms/cdp/per_block.h"
#include "mechanisms/cdp/streams.h"

namespace raddle::mechanisms::cdp {

/// A block that has launched work. The work may outlive the block.
struct Launcher {
  unsigned running = 0;                    // children that run
  std::vector<isa::WarpContext*> waiting;  // for the children, in cudaDeviceSynchronize
};

/// The grid and the block that wait for work that a thread has launched.
struct Child {
  machine::GridId parent = 0;
  std::shared_ptr<Launcher> launcher;
};

struct Continuation;
/// Work that runs when a grid and all its children have ended (cudaStreamTailLaunch).
using Tail = std::function<void(Continuation)>;
/// The work that continues when a grid or a copy, and everything that it launched, has ended. A
/// tail takes the continuation over from the grid before it. So a chain of tails, each launched by
/// the one before it, holds one grid at a time, however long it is.
struct Continuation {
  Child child;             // the grid and the block that wait for the work
  StreamId stream = 0;     // the stream that continues after the work; 0: none
  std::deque<Tail> after;  // the tails that follow
};

/// A grid, or a group of blocks that joined another grid, launched by a kernel.
struct LaunchedGrid {
  unsigned depth = 0;  // levels below a grid from the host
  Cycle launched = 0;  // the cycle in which the launch began
  Address buffer = 0;  // the buffer of its parameters, given back at its end
  Continuation then;
};

class Families {
 public:
  Families(const Environment& environment, ParameterPool& pool, LaunchLimit& limit,
           Streams& streams)
      : environment_(environment),
        pool_(pool),
        limit_(limit),
        streams_(streams),
        sync_depth_(environment.config.sync_depth) {}

  /// How many levels below a grid from the host this grid (or group) is.
  unsigned depth(machine::GridId id) const {
    const auto found = families_.find(id);
    return found == families_.end() ? 0 : found->second.of.depth;
  }

  /// Adds work that the block has launched. The block's grid cannot end before child_ended().
  Child adopt(const isa::BlockContext& block);
  void child_ended(const Child& child);
  /// Adds work that runs after the grid and all its children.
  void add_tail(machine::GridId id, Tail tail) { families_[id].tail.push_back(std::move(tail)); }
  /// Work with this continuation has ended. Its tail starts, or the stream, grid and block that
  /// wait for it continue.
  void go_on(Continuation then);

  /// Adds a grid that has been handed to the machine.
  void add(machine::GridId id, LaunchedGrid grid) { families_[id].of = std::move(grid); }
  /// Adds blocks that join another grid, and returns the id of the group. They are a family of
  /// their own: their launches count as children of the group, and a waiter of the group waits for
  /// these children, too.
  machine::GridId add_group(Child child, Address parameters);
  void group_blocks_ended(machine::GridId group);
  /// The launch of this grid or group; nullptr when the host launched the grid.
  const LaunchedGrid* find(machine::GridId id) const;

  /// The warp waits for all work that its block has launched, and at least until cycle `ready`.
  Error synchronize(const isa::BlockContext& block, isa::WarpContext& warp, Cycle ready);
  /// Levels of grids that may synchronize (cudaLimitDevRuntimeSyncDepth).
  std::uint64_t sync_depth() const { return sync_depth_; }
  void set_sync_depth(std::uint64_t levels) { sync_depth_ = levels; }

  // See machine::Mechanism.
  bool holds(const machine::Grid& grid);
  void grid_ended(const machine::Grid& grid) { finish(grid.id); }
  void block_ended(const isa::BlockContext& block) { launchers_.take(block); }

 private:
  /// A grid or group that a kernel has launched, or that has launched work.
  struct Family {
    unsigned children = 0;  // grids, groups and copies that have not ended
    bool blocks_ended = false;
    bool group = false;  // blocks that joined another grid
    std::deque<Tail> tail;
    LaunchedGrid of;
    bool from_host() const { return of.then.child.parent == 0; }
  };

  std::shared_ptr<Launcher>& launcher(const isa::BlockContext& block);
  /// If all blocks and children of the grid have ended, its tail starts, or the grid ends.
  void settle(machine::GridId id, Family& family);
  void start_tail(machine::GridId id, Family& family);
  /// The grid or group has ended, with all its children and tails.
  void finish(machine::GridId id);

  const Environment& environment_;
  ParameterPool& pool_;
  LaunchLimit& limit_;
  Streams& streams_;
  std::uint64_t sync_depth_;
  std::unordered_map<machine::GridId, Family> families_;
  PerBlock<std::shared_ptr<Launcher>> launchers_;
};

}  // namespace raddle::mechanisms::cdp
