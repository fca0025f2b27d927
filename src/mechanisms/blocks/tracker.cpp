#include "mechanisms/blocks/tracker.h"

#include <algorithm>

namespace raddle::mechanisms::blocks {

using machine::PlacedBlock;

void Tracker::find_next() {
  next_ = kNever;
  for (const Watched& one : watched_) next_ = std::min(next_, one.next);
}

void Tracker::started(const PlacedBlock& block, Cycle period) {
  watched_[block.slot] = {.next = block.since + period,
                          .period = period,
                          .from = block.since,
                          .since = block.since,
                          .reading = {},
                          .first = {}};
  next_ = std::min(next_, block.since + period);
}

void Tracker::restored(const PlacedBlock& block, Cycle now) {
  Watched& one = watched_[block.slot];
  one.from = one.since = now;
  one.next = now + one.period;
  one.reading = one.first = meter_->read(*block.counts);
  find_next();
}

Tracker::End Tracker::ended(const PlacedBlock& block, Cycle now) {
  Watched& one = watched_[block.slot];
  const Reading reading = meter_->read(*block.counts);
  const auto until_now = [&](Cycle from, const Reading& before) -> Look {
    const Cycle cycles = now + 1 - std::min(now + 1, from);
    return {meter_->rates(before, reading, cycles), cycles, true};
  };
  const End end{until_now(one.since, one.first), until_now(one.from, one.reading)};
  one = {};
  find_next();
  return end;
}

std::optional<Look> Tracker::look(const PlacedBlock& block, Cycle now) {
  Watched& one = watched_[block.slot];
  const Cycle end = now + 1;
  one.next = end + one.period - 1;
  find_next();
  const Reading reading = meter_->read(*block.counts);
  const Reading before = one.reading;
  const Cycle cycles = end - one.from;
  one.reading = reading;
  one.from = end;
  if (block.leaving || block.restoring) return {};
  Look look{meter_->rates(before, reading, cycles), cycles, false};
  look.moved = steps_->moved(one.told, look.rates);
  if (look.moved) one.told = look.rates;
  return look;
}

}  // namespace raddle::mechanisms::blocks
