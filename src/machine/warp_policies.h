// All warp scheduler policies (the machine's, in scheduler/policies/, and those of mechanisms), and
// the choice that a description makes.
#pragma once

#include <memory>
#include <vector>

#include "machine/config.h"
#include "machine/scheduler/policy.h"

namespace raddle::machine {

/// All policies. A policy of a built-in mechanism can be named even if the mechanism is not
/// switched on.
std::vector<const WarpPolicyKind*> all_warp_policies();
/// The policy that scheduler.policy names. Throws Error which lists near names.
const WarpPolicyKind& warp_policy(const GpuConfig& config);
/// Makes that policy with its settings. `statistics`: of the multiprocessor.
std::unique_ptr<WarpPolicy> make_warp_policy(const GpuConfig& config, StatGroup& statistics,
                                             unsigned scheduler);

}  // namespace raddle::machine
