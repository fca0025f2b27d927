// Descriptions of what the lanes of a warp wait for.
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "machine/mechanism.h"
#include "machine/warp/warp.h"

namespace raddle::machine {
namespace {

/// "0-15,31"
std::string lanes_text(LaneMask lanes) {
  std::string text;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (((lanes >> l) & 1) == 0) continue;
    unsigned last = l;
    while (last + 1 < kWarpSize && ((lanes >> (last + 1)) & 1) != 0) ++last;
    if (!text.empty()) text += ',';
    text += last == l ? fmt::format("{}", l) : fmt::format("{}-{}", l, last);
    l = last;
  }
  return text;
}

/// "lane 3", "lanes 0-15,31"
std::string named_lanes(LaneMask lanes) {
  return (std::has_single_bit(lanes) ? "lane " : "lanes ") + lanes_text(lanes);
}

/// " wait for memory" becomes " waits for memory" for one lane.
std::string done_by(LaneMask lanes, const std::string& doing) {
  if (!std::has_single_bit(lanes) || doing.starts_with(" could")) return doing;
  const std::size_t verb = std::min(doing.find(' ', 1), doing.size());
  return doing.substr(0, verb) + "s" + doing.substr(verb);
}

}  // namespace

std::string Warp::why_waiting(const char* doing) const {
  std::vector<SplitReport> splits;
  control_->report(splits);
  const auto unit_at = [&](std::uint32_t pc) {
    return fmt::format("the unit of {}", mechanism_kinds()[program().code[pc].unit].name);
  };
  std::string units;  // units for which any of its lanes wait
  for (const SplitReport& split : splits) {
    const bool waits = (waiting_ >> split.split & 1) != 0;
    if (!waits || waits_[split.split].what != Wait::For::parked) continue;
    if (const std::string unit = unit_at(split.pc); units.find(unit) == std::string::npos) {
      units += (units.empty() ? "" : " and ") + unit;
    }
  }
  std::string text;
  for (const SplitReport& split : splits) {
    text += fmt::format("{}{} at {}", text.empty() ? "" : "\n", named_lanes(split.lanes),
                        program().source_of(split.pc));
    const std::string& written = program().info[split.pc].text;
    if (!written.empty()) text += fmt::format(" ({})", written);
    if ((waiting_ >> split.split & 1) != 0) {
      const Wait& wait = waits_[split.split];
      const std::string unit = wait.what == Wait::For::parked ? unit_at(split.pc) : units;
      text += done_by(split.lanes, wait_text(wait, unit));
    } else if (split.waits_for != 0) {
      text += done_by(split.lanes, " wait") +
              fmt::format(" for {} to reconverge", named_lanes(split.waits_for));
    } else {
      text += done_by(split.lanes, split.running ? doing : " could go on");
    }
  }
  return text;
}

std::string Warp::wait_text(const Wait& wait, const std::string& unit) const {
  switch (wait.what) {
    case Wait::For::barrier:
      return fmt::format(" wait at barrier {}: {} of {} threads have come", wait.barrier,
                         barriers_->arrived(wait.barrier), barriers_->expected(wait.barrier));
    case Wait::For::sync:
      return fmt::format(" wait for {} of their warp",
                         named_lanes(wait.sync_mask & context().live & ~wait.lanes));
    case Wait::For::held:
      return " wait at a barrier for lanes of their warp that wait for " + unit;
    case Wait::For::parked:
      break;
  }
  return " wait for " + unit;
}

}  // namespace raddle::machine
