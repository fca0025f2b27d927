// The policies of this folder: a line for each, here and in kinds.cpp.
#pragma once

#include "machine/scheduler/policy.h"

namespace raddle::machine {

WarpPolicyKind greedy_then_oldest_kind();
WarpPolicyKind greedy_then_youngest_kind();
WarpPolicyKind loose_round_robin_kind();
WarpPolicyKind two_level_kind();
WarpPolicyKind cache_conscious_kind();

/// All policies, in the order of their pages.
std::span<const WarpPolicyKind> warp_policy_kinds();

}  // namespace raddle::machine
