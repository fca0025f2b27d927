#include "base/stats.h"

namespace raddle {

Counter::Counter(StatGroup& group, const char* name, const char* unit, const char* meaning)
    : name_(name), unit_(unit), meaning_(meaning) {
  group.counters_.push_back(this);
}

StatGroup::StatGroup(StatGroup& parent, std::string name) : name_(std::move(name)) {
  parent.children_.push_back(this);
}

std::uint64_t total(const StatGroup& group, std::string_view unit, std::string_view name) {
  std::uint64_t sum = 0;
  if (unit.empty() || group.name() == unit) {
    for (const Counter* counter : group.counters()) {
      if (counter->name() == name) sum += counter->value();
    }
  }
  for (const StatGroup* child : group.children()) sum += total(*child, unit, name);
  return sum;
}

}  // namespace raddle
