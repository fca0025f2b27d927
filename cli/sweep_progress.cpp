#include "sweep_progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "base/print_error.h"

namespace raddle::cli {

using experiment::SweepProgress;

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 5400) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.0f} min", seconds / 60);
}

void ProgressLine::show(const SweepProgress& progress) {
  using Seconds = std::chrono::duration<double>;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto now = std::chrono::steady_clock::now();
  const auto period =
      std::clamp<Seconds>((now - start_) / 4, std::chrono::seconds(30), std::chrono::minutes(10));
  if (!terminal && now - last_ < period) return;
  last_ = now;
  const std::string left = progress.seconds_left < 0
                               ? ""
                               : fmt::format(", about {} left", duration(progress.seconds_left));
  print_error("{}{} of {} runs done, {} running, {} failed{}{}",
              terminal ? "\r\033[K" : "raddle: ", progress.known + progress.ended, progress.total,
              progress.running, progress.failed, left, terminal ? "" : "\n");
  shown_ = terminal;
}

ProgressLine::~ProgressLine() {
  if (shown_) print_error("\r\033[K");
}

}  // namespace raddle::cli
