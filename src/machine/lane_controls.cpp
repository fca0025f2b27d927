#include "machine/lane_controls.h"

#include <algorithm>

#include "machine/choice.h"
#include "machine/mechanism.h"
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

const LaneControlKind& lane_control(const GpuConfig& config) {
  return chosen(config.scheduler.divergence, all_lane_controls());
}

const LaneControlKind& functional_lane_control(const GpuConfig& config) {
  const auto all = all_lane_controls();
  return **std::find_if(all.begin(), all.end(), [&](const LaneControlKind* kind) {
    return kind->name == lane_control(config).functional;
  });
}

}  // namespace raddle::machine
