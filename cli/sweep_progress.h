// Shows the progress of a sweep.
#pragma once

#include <chrono>
#include <string>

#include "experiment/sweep.h"

namespace raddle::cli {

/// "40 s", "12 min", "1.5 h".
std::string duration(double seconds);

/// One line that is rewritten. In a file or pipe: a line after half a minute, then less and less
/// often.
class ProgressLine {
 public:
  void show(const experiment::SweepProgress& progress);
  ~ProgressLine();

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
  bool shown_ = false;
};

}  // namespace raddle::cli
