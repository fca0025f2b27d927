// Memory divergence: lanes of a path that have their data need not wait for those that do not
// (dynamic warp subdivision, reconvergence/subdivided_warps.cpp).
#pragma once

#include <array>

#include "machine/load_store/arrivals.h"
#include "machine/load_store/load_store.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/warp_table.h"

namespace raddle::machine {

class WarpProgress;

/// Looks at paths that wait for memory. A path whose next instruction lacks data of some of its lanes
/// is divided, if its scheme has a path free: the others run ahead.
class Subdivision : public ArrivalListener {
 public:
  struct Parts {
    WarpTable& warps;
    Scoreboard& scoreboard;
    LoadStore& memory;
    WarpProgress& progress;
  };
  /// `when`: scheduler.subdivision.
  Subdivision(const Parts& parts, std::string_view when);

  /// A path waits for memory from now on.
  void stalled(PathId id);
  void lanes_came(unsigned warp) override;
  /// Before warps are picked: divides what is to be divided now.
  void cycle(Cycle now);
  /// Whether cycle() may do anything in the next cycle.
  bool pending() const { return any_; }

 private:
  enum class When : std::uint8_t { none, aggressive, lazy, revive };
  LaneMask lanes_with_data(PathId id, isa::RegisterSet& come) const;
  void divide(PathId id, Cycle now);

  Parts p_;
  When when_;
  bool any_ = false;
  std::array<WarpMask, kMostPaths> waiting_{};  // [path]: to be looked at
};

}  // namespace raddle::machine
