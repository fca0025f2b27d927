// The next cycle in which a multiprocessor has work.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace raddle::machine {

class SmClock {
 public:
  /// `wake`: storage of wake(), in a table that is scanned each cycle.
  explicit SmClock(Cycle& wake) : wake_(wake) { wake_ = kNever; }

  /// The first cycle in which the multiprocessor has work; kNever when only the memory side can
  /// wake it.
  Cycle wake() const { return wake_; }
  void set_wake(Cycle at) { wake_ = at; }
  /// Work arrives from outside at `at`, or may arrive.
  void rouse(Cycle at) { wake_ = std::min(wake_, at); }

  /// Whether it is in its own cycle, at whose end it sets wake().
  bool in_cycle = false;

 private:
  Cycle& wake_;
};

}  // namespace raddle::machine
