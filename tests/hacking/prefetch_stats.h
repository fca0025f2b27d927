// Statistics of a unit: each kind, declared in a line.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct PrefetchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter issued{*this, "issued", "lines", "Lines asked for ahead of time."};
  Counter used{*this, "used", "lines", "Of these, lines that a load then found."};
  Formula accuracy{*this, "accuracy", "fraction", "used, of all issued.",
                   [this](const StatValues& of) { return of(used) / of(issued); }};
  Peak streams_peak{*this, "streams_peak", "streams", "Maximum number of streams followed."};
  Mean distance{*this, "distance", "lines", "How far ahead of its stream a line was."};
  Log2Histogram<16> early{*this, "early", "SM cycles", "From a line's arrival to its first use."};
};

class Prefetcher {
 public:
  explicit Prefetcher(StatGroup& sm) : stats_(sm.unit<PrefetchStats>("prefetch")) {}

  void follow(unsigned streams) { stats_.streams_peak.set(streams); }
  void issue(unsigned distance) {
    ++stats_.issued;
    stats_.distance.add(distance);
  }
  void use(std::uint64_t cycles_after_arrival) {
    ++stats_.used;
    stats_.early.add(cycles_after_arrival);
  }

 private:
  PrefetchStats& stats_;  // belongs to the tree, and outlives the unit
};

}  // namespace raddle::machine
