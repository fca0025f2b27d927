// Which of all schemes (the machine's, in reconvergence/, and those of mechanisms) a description
// chooses.
#pragma once

#include <string>
#include <vector>

#include "machine/config.h"
#include "machine/warp/lane_control.h"

namespace raddle::machine {

/// The scheme that `scheduler.divergence` names. Throws Error which lists near names. A scheme of a
/// mechanism can be named when that is built in; it need not be switched on.
const LaneControlKind& lane_control(const GpuConfig& config);
/// What stands for it where nothing is timed.
const LaneControlKind& functional_lane_control(const GpuConfig& config);
/// All that there are.
std::vector<const LaneControlKind*> all_lane_controls();

}  // namespace raddle::machine
