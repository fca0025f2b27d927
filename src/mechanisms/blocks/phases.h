// Phases of blocks (thread-block-management, section III). A phase is a time in which the mean of
// each metric over a window stays within a fraction of its first value. Phases are followed by
// stream and block index, and may extend over several kernels.
#pragma once

#include <map>

#include "base/types.h"
#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

class Phases {
 public:
  /// `window`: in cycles. `change`: the fraction of the mean by which a mean must move to end a
  /// phase. Means below `floor` ([Metric]) count as zero.
  Phases(double window, double change, const Rates& floor, double us_per_cycle, BlocksStats& stats)
      : window_(window),
        change_(change),
        floor_(floor),
        us_per_cycle_(us_per_cycle),
        stats_(stats) {}

  /// Adds a measurement. Statistics count a phase when it has ended.
  void add(const Subject& block, const Rates& rates, Cycle cycles);

 private:
  struct Track {
    Rates sum{};        // rates x cycles, in the window
    double cycles = 0;  // of the window so far
    Rates mean{};       // of the first window of the phase
    double length = 0;  // of the phase, in cycles; 0: no phase has begun
  };
  bool moved(const Rates& from, const Rates& to) const;
  void record(const Track& track);

  double window_, change_;
  Rates floor_;
  double us_per_cycle_;
  BlocksStats& stats_;
  std::map<decltype(Subject{}.place()), Track> tracks_;
};

}  // namespace raddle::mechanisms::blocks
