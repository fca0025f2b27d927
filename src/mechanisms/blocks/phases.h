// Phases (thread-block-management, section III): stretches of a block's work, by stream and index and
// from one kernel to the next, in which neither metric's mean over a window moves by more than a part
// of what it was.
#pragma once

#include <map>

#include "base/types.h"
#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

class Phases {
 public:
  /// `window`: in cycles; `change`: of a mean, by which it moves where a phase ends. Means below
  /// `floor` ([Metric]) are as good as none.
  Phases(double window, double change, const Rates& floor, double us_per_cycle, BlocksStats& stats)
      : window_(window),
        change_(change),
        floor_(floor),
        us_per_cycle_(us_per_cycle),
        stats_(stats) {}

  /// Only phases that have ended are counted.
  void add(const Subject& block, const Rates& rates, Cycle cycles);

 private:
  struct Track {
    Rates sum{};        // rates x cycles, in the window
    double cycles = 0;  // of the window so far
    Rates mean{};       // of the phase's first window
    double length = 0;  // of the phase, cycles; 0: none has begun
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
