// What the units count while a launch runs.
#pragma once

#include <unordered_map>

#include "base/merged_stats.h"
#include "machine/gpu.h"

namespace raddle::machine {

/// Charges each launch by the host with all that was counted between its start and its end. Where
/// other grids run at that time, that is what all of them did, and the launch counts as overlapped.
/// Statistics are read when a launch starts and ends, and never in between.
class LaunchStatistics {
 public:
  /// All units of `root`, which lives as long, have been made.
  explicit LaunchStatistics(const StatGroup& root) : merged_(root) {}

  /// A grid starts: everything that was counted until now is not its own.
  void started(GridId grid, bool from_device);
  /// A grid has ended, and everything is counted that it did: fills in `record` unless a kernel
  /// launched it. A grid that was never told to have started is left alone.
  void ended(GridRecord& record, bool from_device);

  /// The grids that run are given up.
  void forget_running();

  const MergedStats& merged() const { return merged_; }

 private:
  struct Running {
    MergedStats::State start, peaks;
    bool overlapped = false;
  };
  void begin_interval();

  MergedStats merged_;
  MergedStats::State now_, interval_ = merged_.no_peaks();
  std::unordered_map<GridId, Running> running_;
  std::size_t from_device_ = 0;  // of these run
};

}  // namespace raddle::machine
