// Computes from a block's counters how much of its multiprocessor it used in a time span.
#pragma once

#include <array>

#include "machine/sm/block_counts.h"
#include "mechanisms/blocks/usage.h"

namespace raddle::machine {
struct GpuConfig;
}

namespace raddle::mechanisms::blocks {

/// The counters that the metrics need (section III), counted since the block was placed.
struct Reading {
  double throttled = 0;  // scheduler cycles lost because the load-store unit was full
  double floating = 0;   // floating-point work, in cycles of all these units together
};

class Meter {
 public:
  explicit Meter(const machine::GpuConfig& config);
  Reading read(const machine::BlockCounts& counts) const;
  /// The rates between two readings that lie `cycles` apart; zero if `cycles` is zero.
  Rates rates(const Reading& from, const Reading& to, Cycle cycles) const;

 private:
  unsigned schedulers_;
  /// [isa::Class]: the cycles of all floating-point units together that one instruction takes.
  std::array<double, machine::BlockCounts::kOwnClasses> floating_{};
};

}  // namespace raddle::mechanisms::blocks
