// All placement policies: the machine's, one line each in kinds.cpp, and those of mechanisms.
#pragma once

#include <vector>

#include "machine/config.h"
#include "machine/placement/placement.h"

namespace raddle::machine {

/// The policies of the machine, then those of mechanisms in order of registration. A policy of a
/// built-in mechanism can be chosen even if the mechanism is not switched on.
const std::vector<PlacementKind>& placement_kinds();

/// Indices in placement_kinds() of the policies that dispatch.placement names. In "a/b", policy a
/// wraps policy b. Throws Error which lists near names, or says which policy cannot wrap another.
std::vector<std::size_t> chosen_placements(const GpuConfig& config);

/// Makes the chosen policies with their settings and returns the outermost one.
std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics);

}  // namespace raddle::machine
