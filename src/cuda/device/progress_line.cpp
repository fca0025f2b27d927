#include "cuda/device/progress_line.h"

#include <fmt/core.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "report/names.h"
#include "report/numbers.h"

namespace raddle::cuda {
namespace {

constexpr std::chrono::duration<double> kQuiet{2.0};  // short runs show nothing
constexpr std::chrono::duration<double> kPeriod{0.5};
// Period of lines in a file: it grows with the time of the run.
constexpr std::chrono::duration<double> kFilePeriod{30.0};
constexpr std::chrono::duration<double> kMostFilePeriod{600.0};
constexpr std::size_t kLongestName = 24;
constexpr const char* kTakeAway = "\r\x1b[2K";  // to the line's start, and erase it

std::string duration(double seconds) {
  if (seconds >= 5400) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds >= 90) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} s", seconds);
}

/// Number of characters that fit on a line: a line that wraps could not be erased.
std::size_t width(std::FILE* terminal) {
  winsize size{};
  const bool known = ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : 119u;
}

/// The work done of a grid, in blocks. Resident blocks count as half done, which is right on
/// average. At the end of the first round nearly all of their work is done, so that the result is
/// off by a factor of two at most.
double work(const machine::Progress& progress) {
  return static_cast<double>(progress.blocks_ended) +
         static_cast<double>(progress.blocks_resident) / 2;
}

}  // namespace

ProgressLine::Seconds ProgressLine::period(Clock::time_point now) const {
  if (kind_ == Kind::terminal) return kPeriod;
  return std::clamp<Seconds>((now - start_) / 4, kFilePeriod, kMostFilePeriod);
}

void ProgressLine::update(const machine::Progress& progress, double simulated,
                          Clock::time_point now) {
  if (!started_) {
    started_ = true;
    start_ = last_ = now;
    last_instructions_ = progress.warp_instructions;
  }
  const machine::GridId grid = progress.grid == nullptr ? 0 : progress.grid->id;
  if (grid != grid_) {
    grid_ = grid;
    grid_start_ = now;
    grid_ended_ = progress.blocks_ended;
    // The blocks of a grid that has just begun have done no work.
    grid_work_ = grid_ended_ == 0 ? 0 : work(progress);
  }
  if (now - last_ < period(now)) return;
  if (kind_ == Kind::terminal) {
    if (now - start_ < kQuiet) return;
    const std::string line = text(progress, simulated, now).substr(0, width(out_));
    std::fputs((kTakeAway + line).c_str(), out_);
    shown_ = true;
  } else {
    std::fputs(("raddle: " + text(progress, simulated, now) + "\n").c_str(), out_);
  }
  std::fflush(out_);
  last_ = now;
  last_instructions_ = progress.warp_instructions;
}

/// The time left for the running grid, at its pace since it was first seen; "" until a block has
/// ended.
std::string ProgressLine::time_left(const machine::Progress& progress,
                                    Clock::time_point now) const {
  const double passed = Seconds(now - grid_start_).count(), done = work(progress) - grid_work_;
  if (progress.blocks_ended <= grid_ended_ || passed <= 0 || done <= 0) return "";
  const double left = static_cast<double>(progress.blocks) - work(progress);
  return fmt::format(", about {} left", duration(passed / done * std::max(left, 0.0)));
}

std::string ProgressLine::text(const machine::Progress& progress, double simulated,
                               Clock::time_point now) const {
  std::string line = fmt::format("{} kernels ended", progress.grids_ended);
  if (progress.grid != nullptr) {
    const double percent =
        100.0 * static_cast<double>(progress.blocks_ended) / static_cast<double>(progress.blocks);
    line += fmt::format("; {} {}/{} blocks ({:.0f} %){}",
                        report::short_kernel_name(progress.grid->kernel, kLongestName),
                        progress.blocks_ended, progress.blocks, percent, time_left(progress, now));
  }
  const auto executed = static_cast<double>(progress.warp_instructions - last_instructions_);
  line += fmt::format("; {} warp instr./s; {} us simulated",
                      report::scaled(executed / Seconds(now - last_).count()),
                      report::microseconds(simulated / 1e3));
  return line;
}

void ProgressLine::clear() {
  if (!shown_) return;
  shown_ = false;
  std::fputs(kTakeAway, out_);
  std::fflush(out_);
}

}  // namespace raddle::cuda
