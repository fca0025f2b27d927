// Who waits for whom: grids, what they have launched, and what comes after them.
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

/// A block that has launched something, which may outlive it.
struct Launcher {
  unsigned running = 0;                    // of its children
  std::vector<isa::WarpContext*> waiting;  // for them, in cudaDeviceSynchronize
};

/// Who waits for something that a thread has launched: its grid, and its block.
struct Child {
  machine::GridId parent = 0;
  std::shared_ptr<Launcher> launcher;
};

struct Continuation;
/// Work that runs when a grid and all its children have ended (cudaStreamTailLaunch).
using Tail = std::function<void(Continuation)>;
/// What goes on when a grid, or a copy, and all that came of it has ended. A tail takes it over from
/// the grid that it follows: so a chain of tails, each launched by the one before it, is one grid at
/// a time, however long it is.
struct Continuation {
  Child child;             // who waits for it
  StreamId stream = 0;     // that goes on after it; 0: none
  std::deque<Tail> after;  // the tails that come next
};

/// A grid, or a group of blocks on one, that a kernel has launched.
struct LaunchedGrid {
  unsigned depth = 0;  // levels below a grid from the host
  Cycle launched = 0;  // when the launch began
  Address buffer = 0;  // of its parameters; given back at its end
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

  /// Something that the block has launched: its grid ends after child_ended().
  Child adopt(const isa::BlockContext& block);
  void child_ended(const Child& child);
  /// To run after the grid and all its children.
  void add_tail(machine::GridId id, Tail tail) { families_[id].tail.push_back(std::move(tail)); }
  /// What was there has ended: its tail is next, or those who wait go on.
  void go_on(Continuation then);

  /// A grid that has been handed to the machine.
  void add(machine::GridId id, LaunchedGrid grid) { families_[id].of = std::move(grid); }
  /// Blocks that join another grid. They are a family of their own: what they launch counts as
  /// theirs, and who waits for them waits for that, too. Returns its id.
  machine::GridId add_group(Child child, Address parameters);
  void group_blocks_ended(machine::GridId group);
  /// nullptr: not from a kernel.
  const LaunchedGrid* find(machine::GridId id) const;

  /// The warp waits for all that its block has launched, at least until `ready`.
  Error synchronize(const isa::BlockContext& block, isa::WarpContext& warp, Cycle ready);
  /// Levels of grids that may do so (cudaLimitDevRuntimeSyncDepth).
  std::uint64_t sync_depth() const { return sync_depth_; }
  void set_sync_depth(std::uint64_t levels) { sync_depth_ = levels; }

  // As machine::Mechanism has them.
  bool holds(const machine::Grid& grid);
  void grid_ended(const machine::Grid& grid) { finish(grid.id); }
  void block_ended(const isa::BlockContext& block) { launchers_.take(block); }

 private:
  /// Of a grid or group that was launched by a kernel or has launched something.
  struct Family {
    unsigned children = 0;  // that have not ended, and copies
    bool blocks_ended = false;
    bool group = false;  // no grid of its own
    std::deque<Tail> tail;
    LaunchedGrid of;
    bool from_host() const { return of.then.child.parent == 0; }
  };

  std::shared_ptr<Launcher>& launcher(const isa::BlockContext& block);
  /// The grid's blocks and children have ended: its tail is next, or its end.
  void settle(machine::GridId id, Family& family);
  void start_tail(machine::GridId id, Family& family);
  /// It has ended for good, with all that came of it.
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
