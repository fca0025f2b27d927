// The policies that there are: the machine's, one line each in kinds.cpp, and those of mechanisms.
#pragma once

#include <vector>

#include "machine/config.h"
#include "machine/placement/placement.h"

namespace raddle::machine {

/// Those that the machine comes with, then those of mechanisms, in order of registration. A policy
/// of a mechanism can be chosen when that is built in; it need not be switched on.
const std::vector<PlacementKind>& placement_kinds();

/// The numbers, in placement_kinds(), of those that dispatch.placement names: of "a/b", a goes around
/// b. Throws Error which lists near names, or says which goes around none.
std::vector<std::size_t> chosen_placements(const GpuConfig& config);

/// Makes them, with their settings; returns the outermost.
std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics);

}  // namespace raddle::machine
