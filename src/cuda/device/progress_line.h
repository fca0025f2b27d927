// One line on a terminal that tells how far the simulation is, rewritten twice a second.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "machine/gpu.h"

namespace raddle::cuda {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// Writes to `terminal`, once the process has simulated for two seconds.
  explicit ProgressLine(std::FILE* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `progress`, at `simulated` nanoseconds of the GPU's clock, unless it is too early for
  /// another line. Called as often as one likes.
  void update(const machine::Progress& progress, double simulated, Clock::time_point now);
  /// The terminal is as if there had been no line.
  void clear();

 private:
  std::string text(const machine::Progress& progress, double simulated,
                   Clock::time_point now) const;

  std::FILE* terminal_;
  bool shown_ = false, started_ = false;
  Clock::time_point start_, last_;
  std::uint64_t last_instructions_ = 0;
  // The running grid, and how many of its blocks had ended when it was first seen.
  machine::GridId grid_ = 0;
  Clock::time_point grid_start_;
  std::uint64_t grid_blocks_ = 0;
};

}  // namespace raddle::cuda
