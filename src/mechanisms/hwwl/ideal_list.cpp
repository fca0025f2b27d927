#include "mechanisms/hwwl/ideal_list.h"

#include "mechanisms/hwwl/worklists.h"

namespace raddle::mechanisms::hwwl {

void IdealUnit::pull(const UnitIssue& issue, Cycle now) {
  complete(issue, now);
  pulls_.push_back({issue, port_.reserve(issue, false)});
  port_.ask_commit();
}

void IdealUnit::push(const UnitIssue& issue, Cycle) {
  const auto* ids = issue.warp->source<std::uint32_t>(issue.instruction->s[0]);
  for_lanes(issue.lanes, [&](unsigned lane) { pushes_.push_back(ids[lane]); });
  stats_.pushed += static_cast<unsigned>(std::popcount(issue.lanes));
  port_.ask_commit();
}

void IdealUnit::flush() {
  for (const std::uint32_t id : pushes_) all_.ideal().push(sides_.push(), id);
  pushes_.clear();
}

void IdealUnit::commit_own(Cycle now) {
  IdealList& list = all_.ideal();
  all_.flush();  // pushes of all multiprocessors come before all pulls
  for (const Pull& pull : pulls_) {
    std::uint32_t ids[kWarpSize];
    LaneMask got = 0;
    for_lanes(pull.issue.lanes, [&](unsigned lane) {
      if (list.empty(sides_.pull)) return;
      ids[lane] = list.pop(sides_.pull);
      got |= LaneMask{1} << lane;
    });
    hold(pull.issue, got, now);
    Cycle latency = config_.pull_latency;
    if (const LaneMask none = pull.issue.lanes & ~got; none != 0) {
      const bool waits = !sides_.double_buffered && all_.anybody_holds();
      if (waits && got == 0) latency = config_.wait_latency;
      for_lanes(none, [&](unsigned lane) { ids[lane] = waits ? kWait : kDone; });
      (waits ? stats_.waits : stats_.dones) += static_cast<unsigned>(std::popcount(none));
    }
    port_.write(pull.result, pull.issue.instruction->d, pull.issue.lanes, ids);
    port_.finish(pull.result, pull.issue.lanes, now + latency);
  }
  pulls_.clear();
}

}  // namespace raddle::mechanisms::hwwl
