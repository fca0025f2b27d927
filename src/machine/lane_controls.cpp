#include "machine/lane_controls.h"

#include <algorithm>

#include "machine/mechanism.h"

namespace raddle::machine {
namespace {

const LaneControlKind* find(std::string_view name) {
  const auto all = all_lane_controls();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto* kind) { return kind->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

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
  const TextField& setting = config.scheduler.divergence;
  if (const LaneControlKind* kind = find(setting.value())) return *kind;
  std::string names;
  std::vector<std::string> known;
  for (const LaneControlKind* kind : all_lane_controls()) {
    known.emplace_back(kind->name);
    names += (names.empty() ? "" : "|") + known.back();
  }
  const std::vector<std::string> near = near_names(setting.value(), known);
  fail("{} = {}: should be one of {}{}", setting.path(), setting.text(), names,
       near.empty() ? "" : "; did you mean " + near.front() + "?");
}

const LaneControlKind& functional_lane_control(const GpuConfig& config) {
  return *find(lane_control(config).functional);
}

}  // namespace raddle::machine
