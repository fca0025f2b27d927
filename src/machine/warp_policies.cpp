#include "machine/warp_policies.h"

#include <algorithm>

#include "machine/choice.h"
#include "machine/mechanism.h"
#include "machine/scheduler/config.h"
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {

std::vector<const WarpPolicyKind*> all_warp_policies() {
  std::vector<const WarpPolicyKind*> all;
  for (const WarpPolicyKind& kind : warp_policy_kinds()) all.push_back(&kind);
  for (const MechanismKind& mechanism : mechanism_kinds()) {
    if (mechanism.warp_policies == nullptr) continue;
    for (const WarpPolicyKind& kind : mechanism.warp_policies()) all.push_back(&kind);
  }
  return all;
}

const WarpPolicyKind& warp_policy(const GpuConfig& config) {
  return chosen(config.scheduler.policy, all_warp_policies());
}

std::unique_ptr<WarpPolicy> make_warp_policy(const GpuConfig& config, StatGroup& statistics,
                                             unsigned scheduler) {
  const auto all = all_warp_policies();
  const WarpPolicyKind& kind = warp_policy(config);
  const auto index = std::find(all.begin(), all.end(), &kind) - all.begin();
  return kind.make({config.scheduler, config.warp_policies[static_cast<std::size_t>(index)].get(),
                    statistics, scheduler});
}

}  // namespace raddle::machine
