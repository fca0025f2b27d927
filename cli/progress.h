// One line on a terminal that shows the progress of a command.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace raddle::cli {

/// Shows on standard error, if that is a terminal: the steps done of `total`, the present step, and
/// about how long the others will take. The line is erased with the object.
class Progress {
 public:
  /// `steps`: name of the steps in the plural ("programs").
  Progress(std::size_t total, std::string steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins; the one before has ended.
  void begin(const std::string& step);

 private:
  const std::size_t total_;
  const std::string steps_;
  const bool shown_;
  std::size_t begun_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace raddle::cli
