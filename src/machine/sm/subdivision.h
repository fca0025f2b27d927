// Memory divergence: lanes of a path that have their data need not wait for the other lanes
// (dynamic warp subdivision, reconvergence/subdivided_warps.cpp).
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "machine/load_store/arrivals.h"
#include "machine/scoreboard/scoreboard.h"
#include "machine/sm/warp_table.h"

namespace raddle::machine {

/// Observes paths that wait for memory. If some lanes of a path lack data for the next instruction
/// and its scheme has a free path, the path is divided: the other lanes run ahead.
class Subdivision : public ArrivalListener {
 public:
  struct Parts {
    WarpTable& warps;
    Scoreboard& scoreboard;
    /// Called when lanes of the warp have come to a path that had none.
    std::function<void(unsigned warp, Cycle now)> start;
  };
  /// `when`: scheduler.subdivision.
  Subdivision(Parts parts, std::string_view when);
  /// Whether it needs to know of arrivals, and the source of arrivals.
  bool divides() const { return when_ != When::none; }
  void set_arrivals(const Arrivals& arrivals) { arrivals_ = &arrivals; }

  /// A path begins to wait for memory.
  void stalled(PathId id);
  void lanes_came(unsigned warp) override;
  /// Call it before warps are picked: divides the paths that are due.
  void cycle(Cycle now);
  /// Whether cycle() may have work in the next cycle.
  bool pending() const { return any_; }

 private:
  enum class When : std::uint8_t { none, aggressive, lazy, revive };
  LaneMask lanes_with_data(PathId id, Scoreboard::Results& come) const;
  void divide(PathId id, Cycle now);

  Parts p_;
  When when_;
  const Arrivals* arrivals_ = nullptr;
  bool any_ = false;
  std::array<WarpMask, kMostPaths> waiting_{};  // [path]: warps to be examined
};

}  // namespace raddle::machine
