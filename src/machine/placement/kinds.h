// The list of placement policies: the policies of the machine, one line each in kinds.cpp, and the
// policies of mechanisms.
#pragma once

#include <vector>

#include "machine/config.h"
#include "machine/placement/placement.h"

namespace raddle::machine {

/// The policies of the machine, then the policies of mechanisms, in order of registration. A
/// mechanism's policy can be chosen when the mechanism is built in; the mechanism need not be
/// switched on.
const std::vector<PlacementKind>& placement_kinds();

/// The numbers, in placement_kinds(), of the policies that dispatch.placement names. In "a/b", a
/// goes around b. Throws an Error that lists similar names, or names a policy that cannot go around
/// another one.
std::vector<std::size_t> chosen_placements(const GpuConfig& config);

/// Makes the policies with their settings. Returns the outermost one.
std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics);

}  // namespace raddle::machine
