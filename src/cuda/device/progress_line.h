// Reports the progress of the simulation: on a terminal one line, rewritten twice a second; in a
// file or pipe an occasional line.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "machine/gpu.h"

namespace raddle::cuda {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Kind : std::uint8_t { terminal, file };

  /// Writes to `out`: once the process has simulated for two seconds on a terminal, for half a
  /// minute elsewhere.
  ProgressLine(std::FILE* out, Kind kind) : out_(out), kind_(kind) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `progress`, at `simulated` nanoseconds of the GPU's clock, unless it is too early for
  /// another line. May be called at any rate.
  void update(const machine::Progress& progress, double simulated, Clock::time_point now);
  /// Erases the line from the terminal.
  void clear();

 private:
  using Seconds = std::chrono::duration<double>;
  Seconds period(Clock::time_point now) const;
  std::string text(const machine::Progress& progress, double simulated,
                   Clock::time_point now) const;
  std::string time_left(const machine::Progress& progress, Clock::time_point now) const;

  std::FILE* out_;
  Kind kind_;
  bool shown_ = false, started_ = false;
  Clock::time_point start_, last_;
  std::uint64_t last_instructions_ = 0;
  // The running grid, and its state when it was first seen: blocks that had ended, and the work
  // done in blocks.
  machine::GridId grid_ = 0;
  Clock::time_point grid_start_;
  std::uint64_t grid_ended_ = 0;
  double grid_work_ = 0;
};

}  // namespace raddle::cuda
