// All schemes of lane control (the machine's, in reconvergence/, and those of mechanisms), and the
// choice that a description makes.
#pragma once

#include <string>
#include <vector>

#include "machine/config.h"
#include "machine/warp/lane_control.h"

namespace raddle::machine {

/// The scheme that `scheduler.divergence` names. Throws Error which lists near names. A scheme of a
/// built-in mechanism can be named even if the mechanism is not switched on.
const LaneControlKind& lane_control(const GpuConfig& config);
/// The scheme that replaces it on the functional machine.
const LaneControlKind& functional_lane_control(const GpuConfig& config);
/// All schemes.
std::vector<const LaneControlKind*> all_lane_controls();

}  // namespace raddle::machine
