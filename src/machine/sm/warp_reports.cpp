#include "machine/sm/warp_reports.h"

#include <fmt/core.h>

#include "machine/fault.h"
#include "machine/sm/resident_block.h"

namespace raddle::machine {
namespace {

bool is_over(PathState state) {
  return state == PathState::vacant || state == PathState::ending || state == PathState::ended;
}

const char* doing(PathState state) {
  switch (state) {
    case PathState::memory:
      return " wait for memory";
    case PathState::fence:
      return " wait at a fence";
    case PathState::runtime:
      return " wait for the device runtime";
    case PathState::parked:
      return " wait for a unit";
    case PathState::asleep:
      return " sleep";
    case PathState::preempted:
      return " could go on, but their block leaves or is being restored";
    default:
      return " run";
  }
}

}  // namespace

void describe_waiting(const WarpTable& warps, std::string& text, unsigned& lines, unsigned most) {
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    if (is_over(warps.state_of_warp(warp)) || lines > most) continue;
    if (lines++ == most) {
      text += "\n  ...";
      continue;
    }
    const WarpSlot& slot = warps[warp];
    text += warp_line(slot.block->context.index, slot.warp.context().warp_in_block,
                      slot.warp.why_waiting());
  }
}

bool any_resident(const WarpTable& warps) {
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    if (!is_over(warps.state_of_warp(warp))) return true;
  }
  return false;
}

bool all_wait(const WarpTable& warps, const SpinWatch& watch) {
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    switch (warps.state_of_warp(warp)) {
      case PathState::vacant:
      case PathState::ended:
        break;
      case PathState::ending:
      case PathState::runtime:
      case PathState::parked:
      case PathState::preempted:
        return false;
      default:
        if (!warps[warp].warp.waits_for_ever(watch.repeating(warps[warp].warp))) return false;
    }
  }
  return true;
}

void add_to(Whereabouts& all, const WarpTable& warps) {
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    const PathState state = warps.state_of_warp(warp);
    if (is_over(state)) continue;
    const WarpSlot& slot = warps[warp];
    all.add(*slot.block->grid, slot.block->context.index, slot.warp.context().warp_in_block,
            slot.warp.why_waiting(doing(state)));
  }
}

}  // namespace raddle::machine
