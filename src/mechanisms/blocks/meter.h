// What a resident block used of its multiprocessor in a stretch of time, from its counters.
#pragma once

#include <array>

#include "machine/sm/block_counts.h"
#include "mechanisms/blocks/usage.h"

namespace raddle::machine {
struct GpuConfig;
}

namespace raddle::mechanisms::blocks {

/// The counters that matter (section III), since the block came.
struct Reading {
  double throttled = 0;  // scheduler cycles lost because the load-store unit took no more
  double floating = 0;   // cycles of all floating-point units
};

class Meter {
 public:
  explicit Meter(const machine::GpuConfig& config);
  Reading read(const machine::BlockCounts& counts) const;
  /// Of the time between two readings; zero if there is none.
  Rates rates(const Reading& from, const Reading& to, Cycle cycles) const;

 private:
  unsigned schedulers_;
  /// [isa::Class]: of what the floating-point units can do in a cycle, an instruction's share.
  std::array<double, machine::BlockCounts::kOwnClasses> floating_{};
};

}  // namespace raddle::mechanisms::blocks
