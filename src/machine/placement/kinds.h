// The policies that there are: the machine's, one line each in kinds.cpp, and those of mechanisms.
#pragma once

#include <vector>

#include "machine/config.h"
#include "machine/placement/placement.h"

namespace raddle::machine {

/// Those that the machine comes with, then those of mechanisms, in order of registration. A policy
/// of a mechanism can be chosen when that is built in; it need not be switched on.
const std::vector<PlacementKind>& placement_kinds();

/// The number, in placement_kinds(), of the one that dispatch.placement names. Throws Error which
/// lists near names.
std::size_t chosen_placement(const GpuConfig& config);

/// Makes it, with its settings.
std::unique_ptr<Placement> make_placement(const GpuConfig& config, StatGroup& statistics);

}  // namespace raddle::machine
