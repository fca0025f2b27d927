// The predicted use of each multiprocessor by its blocks together. Estimates count as resources,
// like registers, shared memory, threads and block slots (thread-block-management, section IV).
#pragma once

#include <array>
#include <vector>

#include "base/types.h"
#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

class Balance {
 public:
  /// `capacity`: steps of each metric that the blocks of one multiprocessor may have together.
  Balance(unsigned sms, unsigned places, const Steps& steps,
          std::array<unsigned, kMetrics> capacity)
      : steps_(steps),
        capacity_(capacity),
        sums_(sms),
        slots_(sms, std::vector<Resident>(places)) {}

  struct Resident {
    bool there = false;
    Subject subject;
    Usage usage, placed_with;
    Cycle since = 0;
  };

  void put(unsigned sm, unsigned slot, const Resident& resident);
  void set(unsigned sm, unsigned slot, const Usage& usage);
  Resident take(unsigned sm, unsigned slot);
  const Resident& at(unsigned sm, unsigned slot) const { return slots_[sm][slot]; }
  const std::vector<Resident>& of(unsigned sm) const { return slots_[sm]; }

  /// Whether a block with this usage fits. For each metric that the block uses, the sum over all
  /// blocks of the multiprocessor must not exceed the capacity.
  bool has_room(unsigned sm, const Usage& usage) const;
  /// Whether the multiprocessor is oversubscribed in a metric whose level in `usage` is higher than
  /// in `before`.
  bool oversubscribed_by(unsigned sm, const Usage& before, const Usage& usage) const;

 private:
  Steps steps_;
  std::array<unsigned, kMetrics> capacity_;
  std::vector<std::array<unsigned, kMetrics>> sums_;  // [SM], in steps
  std::vector<std::vector<Resident>> slots_;          // [SM][slot]
};

}  // namespace raddle::mechanisms::blocks
