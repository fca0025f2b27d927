// Notices a kernel that may never end: for a long time, on the host's clock and on the GPU's, no
// kernel has ended and no block of the first running kernel.
#pragma once

#include <chrono>

#include "machine/gpu.h"

namespace raddle::cuda {

class StuckNotice {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Cycle kCycles = 1'000'000;

  /// Due after `seconds` and kCycles; 0: never.
  explicit StuckNotice(double seconds) : after_(seconds), told_(seconds == 0) {}

  /// Returns true once, when no kernel or block has ended for this long.
  bool due(const machine::Progress& progress, Clock::time_point now);
  double seconds() const { return after_.count(); }

 private:
  std::chrono::duration<double> after_;
  bool told_;
  // The counts at the last end of a kernel or block, and the time of that end.
  machine::GridId grid_ = 0;
  std::uint64_t grids_ended_ = 0, blocks_ended_ = 0;
  Clock::time_point since_;
  Cycle since_cycle_ = 0;
};

}  // namespace raddle::cuda
