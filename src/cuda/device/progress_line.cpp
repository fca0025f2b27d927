#include "cuda/device/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "isa/kernel_name.h"
#include "report/numbers.h"

namespace raddle::cuda {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kQuiet{2.0};  // short runs show nothing
constexpr Seconds kPeriod{0.5};
constexpr std::size_t kLongestName = 24;
constexpr const char* kTakeAway = "\r\x1b[2K";  // to the line's start, and erase it

/// Without its namespaces when it is long, and then without its end.
std::string shortened(const std::string& name) {
  std::string readable = isa::kernel_name(name);
  const std::size_t scope = readable.substr(0, readable.find('<')).rfind("::");
  if (readable.size() > kLongestName && scope != readable.npos) readable.erase(0, scope + 2);
  return readable.size() <= kLongestName ? readable : readable.substr(0, kLongestName - 3) + "...";
}

std::string duration(double seconds) {
  if (seconds >= 3600) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds >= 90) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} s", seconds);
}

/// Characters that fit on a line: one that wraps could not be taken away.
std::size_t width(std::FILE* terminal) {
  winsize size{};
  const bool known = ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : 119u;
}

}  // namespace

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
    grid_blocks_ = progress.blocks_ended;
  }
  if (now - start_ < kQuiet || now - last_ < kPeriod) return;
  const std::string line = text(progress, simulated, now).substr(0, width(terminal_));
  std::fputs((kTakeAway + line).c_str(), terminal_);
  std::fflush(terminal_);
  shown_ = true;
  last_ = now;
  last_instructions_ = progress.warp_instructions;
}

std::string ProgressLine::text(const machine::Progress& progress, double simulated,
                               Clock::time_point now) const {
  std::string line = fmt::format("{} kernels ended", progress.grids_ended);
  if (progress.grid != nullptr) {
    const double percent =
        100.0 * static_cast<double>(progress.blocks_ended) / static_cast<double>(progress.blocks);
    line += fmt::format("; {} {}/{} blocks ({:.0f} %)", shortened(progress.grid->kernel),
                        progress.blocks_ended, progress.blocks, percent);
    const std::uint64_t ended = progress.blocks_ended - grid_blocks_;
    if (ended != 0) {
      const double each = Seconds(now - grid_start_).count() / static_cast<double>(ended);
      const auto left = static_cast<double>(progress.blocks - progress.blocks_ended);
      line += fmt::format(", {} left", duration(each * left));
    }
  }
  const auto executed = static_cast<double>(progress.warp_instructions - last_instructions_);
  line += fmt::format("; {} warp instr./s; {:.3f} ms simulated",
                      report::scaled(executed / Seconds(now - last_).count()), simulated / 1e6);
  return line;
}

void ProgressLine::clear() {
  if (!shown_) return;
  shown_ = false;
  std::fputs(kTakeAway, terminal_);
  std::fflush(terminal_);
}

}  // namespace raddle::cuda
