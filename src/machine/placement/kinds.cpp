#include "machine/placement/kinds.h"

#include "machine/dispatch/config.h"
#include "machine/mechanism.h"

namespace raddle::machine {

// In their files.
PlacementKind round_robin();
PlacementKind most_room();
PlacementKind first_fit();
PlacementKind spatial();
PlacementKind throttle();

const std::vector<PlacementKind>& placement_kinds() {
  static const auto* kinds = [] {
    auto* all = new std::vector<PlacementKind>{round_robin(), most_room(), first_fit(), spatial(),
                                               throttle()};
    for (const MechanismKind& mechanism : mechanism_kinds()) {
      if (mechanism.placements == nullptr) continue;
      for (const PlacementKind& kind : mechanism.placements()) all->push_back(kind);
    }
    return all;
  }();
  return *kinds;
}

std::size_t chosen_placement(const GpuConfig& config) {
  const TextField& setting = config.dispatch.placement;
  std::vector<std::string> known;
  std::string names;
  for (const PlacementKind& kind : placement_kinds()) {
    if (kind.name == setting.value()) return known.size();
    known.emplace_back(kind.name);
    names += (names.empty() ? "" : "|") + known.back();
  }
  const std::vector<std::string> near = near_names(setting.value(), known);
  fail("{} = {}: should be one of {}{}", setting.path(), setting.text(), names,
       near.empty() ? "" : "; did you mean " + near.front() + "?");
}

std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics) {
  const std::size_t chosen = chosen_placement(config);
  return placement_kinds()[chosen].make(config.placements[chosen].get(), statistics);
}

}  // namespace raddle::machine
