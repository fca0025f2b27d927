#include "machine/scheduler/policies/kinds.h"

#include <array>

namespace raddle::machine {

std::span<const WarpPolicyKind> warp_policy_kinds() {
  static const std::array kinds{greedy_then_oldest_kind(), loose_round_robin_kind(),
                                two_level_kind(), cache_conscious_kind(),
                                greedy_then_youngest_kind()};
  return kinds;
}

}  // namespace raddle::machine
