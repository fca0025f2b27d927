// What instructions of the worklist give and take.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.h"

namespace raddle::mechanisms::hwwl {

/// What a pull returns when it has no work id (hardware-worklists, section III.A).
inline constexpr std::uint32_t kWait = 0xfffffffe;  // there may be some later
inline constexpr std::uint32_t kDone = 0xffffffff;  // there will be none

/// Which side of the banks is pulled from, and which pushed to.
struct Sides {
  bool double_buffered = false;
  unsigned pull = 0;
  unsigned push() const { return double_buffered ? 1 - pull : pull; }
};

template <class F>
void for_lanes(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace raddle::mechanisms::hwwl
