// Which of all warp scheduler policies (the machine's, in scheduler/policies/, and those of
// mechanisms) a description chooses.
#pragma once

#include <memory>
#include <vector>

#include "machine/config.h"
#include "machine/scheduler/policy.h"

namespace raddle::machine {

/// All that there are. A policy of a mechanism can be named when that is built in; it need not be
/// switched on.
std::vector<const WarpPolicyKind*> all_warp_policies();
/// The one that scheduler.policy names. Throws Error which lists near names.
const WarpPolicyKind& warp_policy(const GpuConfig& config);
/// Makes it, with its settings.
/// `statistics`: of the multiprocessor.
std::unique_ptr<WarpPolicy> make_warp_policy(const GpuConfig& config, StatGroup& statistics,
                                             unsigned scheduler);

}  // namespace raddle::machine
