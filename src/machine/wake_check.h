// Whether skipping idle cycles is right: checked in runs that skip none (gpu.skip_idle = false).
//
// Who sleeps has told the machine when it next does anything. In a run that skips no cycle everybody
// works all the same, and nothing may come of it before then. What does not hold is an internal
// error that names who it was; the most common one is a mechanism that changes a unit from outside
// the unit's own functions and does not call SmPort::rouse().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/memory_system/memory_system.h"
#include "machine/sm/sm.h"

namespace raddle::machine {

class WakeCheck {
 public:
  /// `wakes`: [SM], when each next has something to do, as the machine was told.
  WakeCheck(const std::vector<std::unique_ptr<Sm>>& sms, const std::vector<Cycle>& wakes,
            const MemorySystem& memory)
      : sms_(sms), wakes_(wakes), memory_(memory) {}

  /// Before multiprocessors and memory partitions run cycle `now`. Throws Error if a unit of a
  /// multiprocessor that sleeps is to run before the machine was told.
  void before_units(Cycle now);
  /// After it. Throws Error if one that was to sleep has done anything.
  void after_units(Cycle now) const;

 private:
  void check_sm(unsigned sm, Cycle now) const;

  const std::vector<std::unique_ptr<Sm>>& sms_;
  const std::vector<Cycle>& wakes_;
  const MemorySystem& memory_;
  // Before the cycle: when multiprocessors were to wake, and partitions; and what they had issued.
  std::vector<Cycle> told_, told_partitions_;
  std::vector<std::uint64_t> issued_;
};

}  // namespace raddle::machine
