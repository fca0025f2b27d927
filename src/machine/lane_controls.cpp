#include "machine/lane_controls.h"

#include <algorithm>
#include <bit>

#include "machine/choice.h"
#include "machine/mechanism.h"
#include "machine/reconvergence/stats.h"
#include "machine/scheduler/config.h"

namespace raddle::machine {

std::vector<const LaneControlKind*> all_lane_controls() {
  std::vector<const LaneControlKind*> all;
  for (const LaneControlKind& kind : lane_control_kinds()) all.push_back(&kind);
  for (const MechanismKind& mechanism : mechanism_kinds()) {
    if (mechanism.lane_controls == nullptr) continue;
    for (const LaneControlKind& kind : mechanism.lane_controls()) all.push_back(&kind);
  }
  return all;
}

void LaneControl::note_joint_branch(unsigned entries) const {
  count([&](LaneStats& stats) {
    ++stats.partings;
    stats.splits_peak.touch(static_cast<unsigned>(std::popcount(used_)) + entries);
  });
}

const LaneControlKind& lane_control(const GpuConfig& config) {
  return chosen(config.scheduler.divergence, all_lane_controls());
}

const LaneControlKind& functional_lane_control(const GpuConfig& config) {
  const LaneControlKind& timed = lane_control(config);
  const std::string_view usual = timed.whole_warps_at_barriers ? "stack" : "independent";
  const std::string_view name = timed.functional.empty() ? usual : timed.functional;
  const auto all = all_lane_controls();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const LaneControlKind* kind) { return kind->name == name; });
  if (found == all.end()) {
    fail("scheme {}: the scheme {} that stands for it without timing is unknown", timed.name, name);
  }
  return **found;
}

}  // namespace raddle::machine
