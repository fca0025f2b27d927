// When a multiprocessor has something to do next.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace raddle::machine {

class SmClock {
 public:
  /// `wake`: where wake() is kept, in a table that is scanned each cycle.
  explicit SmClock(Cycle& wake) : wake_(wake) { wake_ = kNever; }

  /// The first cycle in which the multiprocessor does anything; kNever when only the memory side
  /// can wake it.
  Cycle wake() const { return wake_; }
  void set_wake(Cycle at) { wake_ = at; }
  /// From outside comes something to do at `at`, or perhaps comes.
  void rouse(Cycle at) { wake_ = std::min(wake_, at); }

  /// Whether it runs its own cycle now, and decides on wake() at its end.
  bool in_cycle = false;

 private:
  Cycle& wake_;
};

}  // namespace raddle::machine
