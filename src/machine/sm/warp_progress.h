// What the paths of resident warps wait for, and when they continue.
#pragma once

#include <array>
#include <cstdint>

#include "machine/execute/units.h"
#include "machine/frontend/frontend.h"
#include "machine/load_store/load_store.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/issue_accounts.h"
#include "machine/sm/resident_block.h"
#include "machine/sm/sm_clock.h"
#include "machine/sm/warp_table.h"
#include "machine/warp_event.h"

namespace raddle::machine {

class AttachedUnits;
class Subdivision;

/// Puts paths into the states that say what they wait for. A path that waits for a known cycle has
/// a wake event. Any other path waits for an event of another unit, which calls reconsider().
class WarpProgress {
 public:
  struct Parts {
    WarpTable& warps;
    Frontend& frontend;
    Scoreboard& scoreboard;
    const ExecuteUnits& execute;
    LoadStore& memory;
    const AttachedUnits& attached;
    WarpEvents& events;
    IssueAccounts& accounts;
    SmClock& clock;
    bool stores_hold_warps;  // LoadStoreConfig
  };
  explicit WarpProgress(const Parts& parts) : p_(parts) {}
  /// The subdivision is told of paths that wait for memory.
  void set_subdivision(Subdivision* subdivision) { subdivision_ = subdivision; }

  /// Finds out what a path waits for. Call it when the path's next instruction may have changed, or
  /// its operands may have come.
  void look_at_next(PathId id, Cycle now);
  /// The path is not examined before cycle `until`.
  void wait_until(PathId id, PathState state, Cycle until, Cycle now) {
    p_.warps.set_until(id, until);
    p_.warps.enter(id, state);
    p_.events.put({WarpEvent::Kind::wake, id, 0},
                  std::min(std::max(until, now + 1), now + WarpEvents::kSpan - 1));
  }
  /// The path waits until the warp's accesses are acknowledged. If the fence is also for other
  /// multiprocessors (`wide`), it then waits load_store.fence_latency cycles more.
  void wait_at_fence(PathId id, bool wide, Cycle now);
  /// A wake event: the path may have finished its wait.
  void wake_path(PathId id, Cycle now);
  /// A result has come, or an access has ended: paths that wait for it may continue.
  void reconsider(PathId id, Cycle now) {
    if (p_.warps.paths() == 1) return reconsider_path(id, now);
    // Paths wait for each other's results, and a warp ends when all of them end.
    p_.warps.for_each_path(warp_of(id), [&](PathId one) { reconsider_path(one, now); });
  }
  /// A new warp fetches at `at`, on the paths on which its scheme lets it run.
  void start_warp(unsigned warp, Cycle at, Cycle now);
  /// A line of code has come through the network: warps that wait for a line are examined again.
  void look_for_instructions(Cycle now);

  // Calls of the device runtime, during which a path waits for other units.

  /// The path waits until wake_endless().
  void wait_endlessly(PathId id) {
    p_.warps.set_until(id, kNever);
    p_.warps.enter(id, PathState::runtime);
    ++endless_waits_;
  }
  /// Call it after WarpContext::waits_until of the warp has changed, after cycle `now`.
  void wake_endless(unsigned warp, Cycle now);
  /// Number of paths in such a wait.
  unsigned endless_waits() const { return endless_waits_; }

  // Barriers, ends.

  void arrive_at_barrier(unsigned warp, Cycle now);
  /// Lets warps continue whose barrier has become complete.
  void release_barriers(ResidentBlock& block, Cycle now);
  void end_warp(unsigned warp, Cycle now);
  /// Number of blocks since clear_ended_blocks() whose warps have all ended.
  unsigned ended_blocks() const { return ended_blocks_; }
  void clear_ended_blocks() { ended_blocks_ = 0; }
  /// The warp has no operation in flight in the built-in units, and no result of an attached one.
  bool drained(unsigned warp) const;

  // Warps with several paths: effects of one path on the others.

  /// After a step of one path other paths may run elsewhere, or become idle. False: this path too.
  bool follow_paths(PathId id, const Step& step, Cycle delay, Cycle now);
  /// Makes warps of a block follow changes that other warps of the block have made to their paths.
  void follow_block(ResidentBlock& block, Cycle now);
  /// Lanes of a warp have come to paths between its steps.
  void start_parted(unsigned warp, Cycle now) { start_changed_paths(warp, now + 1, now); }
  /// Lanes that wait because of a unit issue their instruction again, at `at`.
  void wake_lanes(unsigned warp, LaneMask lanes, Cycle at, Cycle now);

  // Preemption (preemption.h).

  /// A warp that has exited continues to end; any other warp does nothing until resume_path().
  void stop_warp(unsigned warp, Cycle now);
  /// A path continues in the state in which its warp was stopped, or where it has moved to since.
  void resume_path(PathId id, Cycle now);

 private:
  static bool waits_for_event(PathState state);
  bool waits_endlessly(PathId id) const {
    return p_.warps.state(id) == PathState::runtime && p_.warps.until(id) == kNever;
  }
  bool waits_for_call(PathId id, Cycle now);
  void fetch_next(PathId id, Cycle now);
  void look_at_operands(PathId id);
  void look_closely(PathId id);
  void reconsider_path(PathId id, Cycle now);
  void finish_ending(unsigned warp);
  bool fence_is_met(PathId id);
  void pass_fence(PathId id, Cycle now);
  bool awaits_results(unsigned warp) const;
  unsigned start_changed_paths(unsigned warp, Cycle until, Cycle now);

  Parts p_;
  Subdivision* subdivision_ = nullptr;  // nullptr: no scheme subdivides
  /// For a path at a fence: the paths of its warp, a bit each, that have accesses from before the
  /// fence.
  std::array<std::uint8_t, std::size_t{kMaxWarps} * kMostPaths> awaited_{};
  unsigned endless_waits_ = 0, ended_blocks_ = 0;
};

}  // namespace raddle::machine
