// What the lanes of a warp wait for, in words.
#include <fmt/format.h>

#include <bit>

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

}  // namespace

std::string Warp::why_waiting(const char* doing) const {
  std::vector<SplitReport> splits;
  control_->report(splits);
  std::string text;
  for (const SplitReport& split : splits) {
    text += fmt::format("{}lanes {} at {}", text.empty() ? "" : "\n", lanes_text(split.lanes),
                        program().source_of(split.pc));
    const std::string& written = program().info[split.pc].text;
    if (!written.empty()) text += fmt::format(" ({})", written);
    if ((waiting_ >> split.split & 1) != 0) {
      text += wait_text(waits_[split.split]);
    } else if (split.waits_for != 0) {
      text += fmt::format(" wait for lanes {} to reconverge", lanes_text(split.waits_for));
    } else {
      text += split.running ? doing : " could go on";
    }
  }
  return text;
}

std::string Warp::wait_text(const Wait& wait) const {
  switch (wait.what) {
    case Wait::For::barrier:
      return fmt::format(" wait at barrier {}: {} of {} threads have come", wait.barrier,
                         barriers_->arrived(wait.barrier), barriers_->expected(wait.barrier));
    case Wait::For::sync:
      return fmt::format(" wait for lanes {} of their warp",
                         lanes_text(wait.sync_mask & context().live & ~wait.lanes));
    case Wait::For::held:
      return " wait at a barrier for lanes of their warp that wait for a unit";
    case Wait::For::parked:
      break;
  }
  return " wait for a unit";
}

}  // namespace raddle::machine
