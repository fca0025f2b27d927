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
  std::string text;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    const Split& split = splits_[index];
    const bool running = index == current_;
    const LaneMask arrived = split.lanes & ~split.pending;
    if (split.state == State::reconverging && arrived == 0) continue;
    const LaneMask lanes = running                              ? lanes_
                           : split.state == State::reconverging ? arrived
                                                                : split.lanes;
    const std::uint32_t pc = running ? pc_ : split.pc;
    text += fmt::format("{}lanes {} at {}", text.empty() ? "" : "\n", lanes_text(lanes),
                        program_->source_of(pc));
    if (!program_->info[pc].text.empty()) text += fmt::format(" ({})", program_->info[pc].text);
    switch (split.state) {
      case State::at_barrier:
        text += fmt::format(" wait at barrier {}: {} of {} threads have come", split.barrier,
                            barriers_->arrived(split.barrier), barriers_->expected(split.barrier));
        break;
      case State::at_sync:
        text += fmt::format(" wait for lanes {} of their warp",
                            lanes_text(split.sync_mask & context_.live & ~split.lanes));
        break;
      case State::reconverging:
        text += fmt::format(" wait for lanes {} to reconverge", lanes_text(split.pending));
        break;
      default:
        text += running ? doing : " could go on";
        break;
    }
  }
  return text;
}

}  // namespace raddle::machine
