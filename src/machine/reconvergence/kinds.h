// The schemes of this folder: a line for each, here and in kinds.cpp.
#pragma once

#include "machine/warp/lane_control.h"

namespace raddle::machine {

LaneControlKind simt_stack_kind();
LaneControlKind independent_threads_kind();
LaneControlKind dual_path_kind();
LaneControlKind multi_path_kind();
LaneControlKind dynamic_warps_kind();
LaneControlKind likely_points_kind();
LaneControlKind subdivided_warps_kind();
LaneControlKind compacted_warps_kind();

}  // namespace raddle::machine
