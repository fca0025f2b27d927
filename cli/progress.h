// One line on a terminal that says how far a command is.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace raddle::cli {

/// Says on standard error, if that is a terminal, how many of `total` steps are done, which is going on and about
/// how long the others will take. The line is gone when this is.
class Progress {
 public:
  /// `steps`: what is counted, in the plural ("programs").
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
