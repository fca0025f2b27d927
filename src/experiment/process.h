// A child process with its output in a file.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_file.h"

namespace raddle::experiment {

class Process {
 public:
  /// Starts `command` (its first word is the executable) in a process group of its own. It is
  /// killed when the calling thread ends. Throws Error when it cannot be started.
  explicit Process(const std::vector<std::string>& command);
  /// Kills the process if it still runs.
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  /// The exit code, or 128 + signal if a signal ended it; nullopt while it runs.
  std::optional<int> poll();
  void kill();
  double seconds() const;  // since the start
  /// The last `bytes` of its output on both streams.
  std::string output_end(std::size_t bytes) const;

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
  std::chrono::steady_clock::time_point start_;
  TemporaryFile output_;
};

}  // namespace raddle::experiment
