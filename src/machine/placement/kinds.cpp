#include "machine/placement/kinds.h"

#include <sstream>
#include <utility>

#include "machine/choice.h"
#include "machine/dispatch/config.h"
#include "machine/mechanism.h"

namespace raddle::machine {

// Defined in their own files.
PlacementKind round_robin();
PlacementKind most_room();
PlacementKind first_fit();
PlacementKind spatial();
PlacementKind throttle();
PlacementKind partition();
PlacementKind time_slices();
PlacementKind client_priority();

const std::vector<PlacementKind>& placement_kinds() {
  static const auto* kinds = [] {
    auto* all = new std::vector<PlacementKind>{round_robin(), most_room(),      first_fit(),
                                               spatial(),     throttle(),       partition(),
                                               time_slices(), client_priority()};
    for (const MechanismKind& mechanism : mechanism_kinds()) {
      if (mechanism.placements == nullptr) continue;
      for (const PlacementKind& kind : mechanism.placements()) all->push_back(kind);
    }
    return all;
  }();
  return *kinds;
}

std::vector<std::size_t> chosen_placements(const GpuConfig& config) {
  const TextField& setting = config.dispatch.placement;
  std::vector<std::string> known;
  for (const PlacementKind& kind : placement_kinds()) known.emplace_back(kind.name);
  std::vector<std::size_t> chosen;
  std::istringstream names(setting.value() + "/");
  for (std::string name; std::getline(names, name, '/');) {
    if (!chosen.empty() && placement_kinds()[chosen.back()].make_around == nullptr) {
      fail("{} = {}: '{}' goes around no other policy", setting.path(), setting.text(),
           known[chosen.back()]);
    }
    chosen.push_back(choice(setting, name, known));
  }
  return chosen;
}

std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics) {
  const std::vector<std::size_t> chosen = chosen_placements(config);
  const ConfigGroup* settings = config.placements[chosen.back()].get();
  std::unique_ptr<Placement> policy = placement_kinds()[chosen.back()].make(settings, statistics);
  for (std::size_t n = chosen.size() - 1; n-- > 0;) {
    settings = config.placements[chosen[n]].get();
    policy = placement_kinds()[chosen[n]].make_around(settings, statistics, std::move(policy));
  }
  return policy;
}

}  // namespace raddle::machine
