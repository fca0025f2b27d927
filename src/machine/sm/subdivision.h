// Memory divergence: lanes of a path that have their data need not wait for those that do not
// (dynamic warp subdivision, reconvergence/subdivided_warps.cpp).
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "machine/load_store/arrivals.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/warp_table.h"

namespace raddle::machine {

/// Looks at paths that wait for memory. A path whose next instruction lacks data of some of its lanes
/// is divided, if its scheme has a path free: the others run ahead.
class Subdivision : public ArrivalListener {
 public:
  struct Parts {
    WarpTable& warps;
    Scoreboard& scoreboard;
    /// Lanes of the warp have come to a path that had none.
    std::function<void(unsigned warp, Cycle now)> start;
  };
  /// `when`: scheduler.subdivision.
  Subdivision(Parts parts, std::string_view when);
  /// Whether it has to know of arrivals, and from whom.
  bool divides() const { return when_ != When::none; }
  void set_arrivals(const Arrivals& arrivals) { arrivals_ = &arrivals; }

  /// A path waits for memory from now on.
  void stalled(PathId id);
  void lanes_came(unsigned warp) override;
  /// Before warps are picked: divides what is to be divided now.
  void cycle(Cycle now);
  /// Whether cycle() may do anything in the next cycle.
  bool pending() const { return any_; }

 private:
  enum class When : std::uint8_t { none, aggressive, lazy, revive };
  LaneMask lanes_with_data(PathId id, Scoreboard::Results& come) const;
  void divide(PathId id, Cycle now);

  Parts p_;
  When when_;
  const Arrivals* arrivals_ = nullptr;
  bool any_ = false;
  std::array<WarpMask, kMostPaths> waiting_{};  // [path]: to be looked at
};

}  // namespace raddle::machine
