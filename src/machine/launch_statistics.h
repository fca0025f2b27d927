// Counts of all units while a launch runs.
#pragma once

#include <unordered_map>

#include "base/merged_stats.h"
#include "machine/gpu.h"

namespace raddle::machine {

/// Charges each launch by the host with everything that was counted between its start and its end.
/// If other grids run at that time, their counts are included, and the launch is marked as
/// overlapped. Statistics are read only when a launch starts and ends.
class LaunchStatistics {
 public:
  /// At this call all units of `root` exist; `root` outlives this object.
  explicit LaunchStatistics(const StatGroup& root) : merged_(root) {}

  /// A grid starts: earlier counts are not charged to it.
  void started(GridId grid, bool from_device);
  /// A grid has ended, and all its work has been counted. Fills in `record` unless a kernel
  /// launched the grid. A grid for which started() was not called is ignored.
  void ended(GridRecord& record, bool from_device);

  /// Forgets the running grids.
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
  std::size_t from_device_ = 0;  // number of running grids that kernels launched
};

}  // namespace raddle::machine
