// The table of names in Nsight Compute refers only to existing statistics.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "kernels.h"
#include "report/profiler_names.h"

namespace raddle::report {
namespace {

/// Whether there is a statistic, or a group of them, at "sm.l1.hits".
bool exists(const StatGroup& group, const std::string& path) {
  const std::string name = path.substr(0, path.find('.'));
  const std::string rest = name == path ? "" : path.substr(name.size() + 1);
  for (const StatGroup* child : group.children()) {
    if (child->name() == name) return rest.empty() || exists(*child, rest);
  }
  const auto& own = group.statistics();
  return rest.empty() && std::any_of(own.begin(), own.end(), [&](const Statistic* statistic) {
           return statistic->name() == name;
         });
}

TEST(ProfilerNames, AreOfStatisticsThatExist) {
  machine::test::Machine machine(machine::test::kAddIndex);
  const std::vector<std::string> of_launches = {"time_us"};
  for (const ProfilerName& name : profiler_names()) {
    std::istringstream text(name.statistics);
    std::string outside, path;
    while (std::getline(text, outside, '`') && std::getline(text, path, '`')) {
      const bool known =
          std::find(of_launches.begin(), of_launches.end(), path) != of_launches.end() ||
          exists(machine.gpu().statistics(), path);
      EXPECT_TRUE(known) << name.metric << " names " << path;
    }
  }
}

}  // namespace
}  // namespace raddle::report
