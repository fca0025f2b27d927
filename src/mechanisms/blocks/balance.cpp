#include "mechanisms/blocks/balance.h"

#include <utility>

namespace raddle::mechanisms::blocks {

void Balance::put(unsigned sm, unsigned slot, const Resident& resident) {
  slots_[sm][slot] = resident;
  slots_[sm][slot].there = true;
  for (std::size_t m = 0; m < kMetrics; ++m) sums_[sm][m] += steps_.count(resident.usage.levels[m]);
}

void Balance::set(unsigned sm, unsigned slot, const Usage& usage) {
  Usage& own = slots_[sm][slot].usage;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    sums_[sm][m] += steps_.count(usage.levels[m]) - steps_.count(own.levels[m]);
  }
  own = usage;
}

Balance::Resident Balance::take(unsigned sm, unsigned slot) {
  set(sm, slot, {});
  return std::exchange(slots_[sm][slot], {});
}

bool Balance::has_room(unsigned sm, const Usage& usage) const {
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const unsigned more = steps_.count(usage.levels[m]);
    if (more != 0 && sums_[sm][m] + more > capacity_[m]) return false;
  }
  return true;
}

bool Balance::oversubscribed_by(unsigned sm, const Usage& before, const Usage& usage) const {
  for (std::size_t m = 0; m < kMetrics; ++m) {
    if (usage.levels[m] > before.levels[m] && sums_[sm][m] > capacity_[m]) return true;
  }
  return false;
}

}  // namespace raddle::mechanisms::blocks
