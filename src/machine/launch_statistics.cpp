#include "machine/launch_statistics.h"

namespace raddle::machine {

/// Begins an interval for peaks, which lasts from one start or end of a launch to the next.
void LaunchStatistics::begin_interval() {
  merged_.take_peaks(interval_);
  for (auto& [id, running] : running_) merged_.raise_peaks(running.peaks, interval_);
}

void LaunchStatistics::started(GridId grid, bool from_device) {
  for (auto& [id, running] : running_) running.overlapped = true;
  if (from_device) {
    ++from_device_;
    return;
  }
  begin_interval();
  Running& fresh = running_[grid];
  fresh.overlapped = running_.size() > 1 || from_device_ != 0;
  fresh.peaks = merged_.no_peaks();
  merged_.read(fresh.start);
}

void LaunchStatistics::forget_running() {
  running_.clear();
  from_device_ = 0;
}

void LaunchStatistics::ended(GridRecord& record, bool from_device) {
  if (from_device) {
    if (from_device_ != 0) --from_device_;
    return;
  }
  const auto found = running_.find(record.id);
  if (found == running_.end()) return;
  begin_interval();
  auto state = std::make_shared<MergedStats::State>();
  merged_.read(*state);
  merged_.subtract(*state, found->second.start);
  merged_.set_peaks(*state, found->second.peaks);
  record.statistics = std::move(state);
  record.overlapped = found->second.overlapped;
  running_.erase(found);
}

}  // namespace raddle::machine
