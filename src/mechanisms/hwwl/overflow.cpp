#include "mechanisms/hwwl/overflow.h"

#include <algorithm>

namespace raddle::mechanisms::hwwl {

void Overflow::use(const Buffer& buffer, bool double_buffered) {
  buffer_ = buffer;
  entries_ = double_buffered ? buffer.entries / 2 : buffer.entries;
  for (Side& side : sides_) side = {};
  arrived_.clear();
  loads_ = 0;
  ++epoch_;
}

void Overflow::spill(unsigned side, std::uint32_t id) {
  --sides_[side].promised;
  sides_[side].pending.push_back(id);
}

/// The number of entries of the ring, at most `most`, that lie next to one another from `first` on.
unsigned Overflow::at_once(unsigned first, unsigned most) const {
  return std::min({most, unsigned{kWarpSize}, entries_ - first});
}

std::uint32_t Overflow::access(unsigned side, unsigned first, unsigned count, bool load) {
  const auto free =
      std::find_if(accesses_.begin(), accesses_.end(), [](const Access& one) { return one.free; });
  const auto tag = static_cast<std::uint32_t>(free - accesses_.begin());
  if (free == accesses_.end()) accesses_.emplace_back();
  Access& made = accesses_[tag];
  made = {};
  made.free = false;
  made.load = load;
  made.epoch = epoch_;
  made.side = static_cast<std::uint8_t>(side);
  made.count = count;

  machine::UnitAccess what;
  what.type = load ? machine::AccessType::load : machine::AccessType::store;
  what.blame = &buffer_.from;
  what.tag = tag;
  for (unsigned n = 0; n < count; ++n) {
    what.lanes |= LaneMask{1} << n;
    what.address[n] = buffer_.base + (Address{side} * entries_ + first + n) * sizeof(std::uint32_t);
    if (load) continue;
    what.values[n] = sides_[side].pending.front();
    sides_[side].pending.pop_front();
  }
  port_.access(what, machine::Priority::low);
  return tag;
}

/// One store writes the work ids of up to kWarpSize lanes. They lie next to one another, so the
/// store is coalesced.
void Overflow::store(unsigned side) {
  Side& of = sides_[side];
  const unsigned last = (of.first + of.stored) % entries_;
  const unsigned count = at_once(last, static_cast<unsigned>(of.pending.size()));
  access(side, last, count, false);
  of.stored += count;
  stats_.spilled += count;
  ++stats_.spill_stores;
}

bool Overflow::can_load(unsigned side) const {
  return sides_[side].stored != 0 && (intervals_ || loads_ < config_.refill_loads) &&
         port_.can_access(machine::Priority::low);
}

unsigned Overflow::reserve(unsigned side, LaneMask banks, unsigned most, std::uint8_t* bank) {
  unsigned count = 0;
  for (bool any = true; any && count < most;) {
    any = false;
    for (unsigned n = 0; n < banks_.count() && count < most; ++n) {
      if ((banks >> n & 1) == 0 || banks_.free(side, n) == 0) continue;
      banks_.reserve(side, n);
      bank[count++] = static_cast<std::uint8_t>(n);
      any = true;
    }
  }
  return count;
}

/// Refills when each of `banks` has a free entry. One load brings up to kWarpSize work ids.
bool Overflow::refill(unsigned side, LaneMask banks) {
  for (unsigned bank = 0; bank < banks_.count(); ++bank) {
    if ((banks >> bank & 1) != 0 && banks_.free(side, bank) == 0) return false;
  }
  Side& of = sides_[side];
  std::array<std::uint8_t, kWarpSize> places;
  const unsigned count = reserve(side, banks, at_once(of.first, of.stored), places.data());
  if (count == 0) return false;
  const std::uint32_t tag = access(side, of.first, count, true);
  accesses_[tag].bank = places;
  of.first = (of.first + count) % entries_;
  of.stored -= count;
  ++loads_;
  ++stats_.refill_loads;
  return true;
}

unsigned Overflow::load_for(unsigned side, unsigned lanes, std::uint32_t pull) {
  Side& of = sides_[side];
  const unsigned count = at_once(of.first, std::min(lanes, of.stored));
  const std::uint32_t tag = access(side, of.first, count, true);
  accesses_[tag].loaded = {true, pull, count};
  of.first = (of.first + count) % entries_;
  of.stored -= count;
  of.for_pulls += count;
  ++loads_;
  ++stats_.refill_loads;
  return count;
}

Overflow::Loaded Overflow::returned(std::uint32_t tag, const std::uint32_t* values) {
  const Access what = accesses_[tag];
  accesses_[tag].free = true;
  if (!what.load) return {};
  Loaded loaded = what.loaded;
  if (what.epoch != epoch_) {  // the program has emptied the worklist since
    loaded.for_lanes = 0;
    return loaded;
  }
  --loads_;
  sides_[what.side].for_pulls -= loaded.for_lanes;
  for (unsigned n = loaded.for_lanes; n < what.count; ++n) {
    arrived_.push_back({what.side, what.bank[n - loaded.for_lanes], values[n]});
  }
  stats_.refilled += what.count;
  return loaded;
}

bool Overflow::write_back() {
  if (arrived_.empty()) return false;
  for (std::uint32_t used = 0; !arrived_.empty(); arrived_.pop_front()) {
    const Arrived& one = arrived_.front();
    const std::uint32_t bit = 1u << one.bank;
    if ((used & bit) != 0) break;
    used |= bit;
    banks_.fill(one.side, one.bank, one.id);
  }
  return true;
}

void Overflow::cycle(unsigned pull_side, LaneMask banks, Cycle served_until, Cycle now) {
  for (unsigned side = 0; side < Banks::kSides; ++side) {
    if (!sides_[side].pending.empty() && port_.can_access(machine::Priority::low)) store(side);
    stats_.overflow_peak.set(sides_[0].stored + sides_[1].stored);
  }
  if (now % config_.refill_interval != 0) return;
  if (!intervals_ && now < served_until) return;
  while (can_load(pull_side) && refill(pull_side, banks)) {
  }
}

Cycle Overflow::wake(unsigned pull_side, Cycle served_until, Cycle now) const {
  for (const Side& side : sides_) {
    if (!side.pending.empty()) return now + 1;
  }
  if (sides_[pull_side].stored == 0) return kNever;
  const Cycle interval = config_.refill_interval;
  const Cycle from = intervals_ ? now + 1 : std::max(now + 1, served_until);
  return (from + interval - 1) / interval * interval;
}

}  // namespace raddle::mechanisms::hwwl
