#include "mechanisms/blocks/phases.h"

#include <algorithm>

namespace raddle::mechanisms::blocks {

bool Phases::moved(const Rates& from, const Rates& to) const {
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const double low = std::min(from[m], to[m]), high = std::max(from[m], to[m]);
    if (high > floor_[m] && high - low > change_ * from[m]) return true;
  }
  return false;
}

void Phases::add(const Subject& block, const Rates& rates, Cycle cycles) {
  Track& track = tracks_[block.place()];
  const auto time = static_cast<double>(cycles);
  for (std::size_t m = 0; m < kMetrics; ++m) track.sum[m] += rates[m] * time;
  track.cycles += time;
  if (track.cycles < window_) return;
  Rates mean{};
  for (std::size_t m = 0; m < kMetrics; ++m) mean[m] = track.sum[m] / track.cycles;
  if (track.length == 0) {
    track.mean = mean;
  } else if (moved(track.mean, mean)) {
    record(track);
    track.mean = mean;
    track.length = 0;
  }
  track.length += track.cycles;
  track.sum = {};
  track.cycles = 0;
}

void Phases::record(const Track& track) {
  const auto us = static_cast<std::uint64_t>(track.length * us_per_cycle_);
  stats_.phase_us.add(us);
  stats_.phases_us += us;
  ++stats_.phases;
}

}  // namespace raddle::mechanisms::blocks
