#include "machine/reconvergence/kinds.h"

#include <algorithm>
#include <array>

namespace raddle::machine {

std::span<const LaneControlKind> lane_control_kinds() {
  static const std::array kinds{simt_stack_kind(), independent_threads_kind(), dual_path_kind(),
                                dynamic_warps_kind()};
  return kinds;
}

const LaneControlKind* find_lane_control(std::string_view name) {
  const auto kinds = lane_control_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const LaneControlKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace raddle::machine
