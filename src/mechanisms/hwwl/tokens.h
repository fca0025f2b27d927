// Operands and results of the worklist instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.h"

namespace raddle::mechanisms::hwwl {

/// Results of a pull that gets no work id (hardware-worklists, section III.A).
inline constexpr std::uint32_t kWait = 0xfffffffe;  // there may be work later
inline constexpr std::uint32_t kDone = 0xffffffff;  // there will be no more work

/// The side of the banks for pulls and the side for pushes.
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
