#include "machine/reconvergence/kinds.h"

#include <array>

namespace raddle::machine {

std::span<const LaneControlKind> lane_control_kinds() {
  static const std::array kinds{simt_stack_kind(),       independent_threads_kind(),
                                dual_path_kind(),        multi_path_kind(),
                                dynamic_warps_kind(),    likely_points_kind(),
                                subdivided_warps_kind(), compacted_warps_kind()};
  return kinds;
}

}  // namespace raddle::machine
