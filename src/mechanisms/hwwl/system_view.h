// A core's knowledge about all cores: a few bits of each, which are broadcast when they change
// (section III.C: the empty bit and the global greedy bit).
//
// All changes take equally long. So a core sees the state of all cores as it was at one time. A
// work id on its way between cores counts as work of its sender until the receiver acknowledges it.
// So at every time some core counts it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/types.h"

namespace raddle::mechanisms::hwwl {

struct CoreBits {
  bool work = false;     // it has work to pull (the inverted empty bit)
  bool holds = false;    // some of its lanes hold a work id, and may push
  bool greedy = false;   // it has more greedy banks than needy ones, or a backlog in memory
  bool serving = false;  // lanes pull from its banks
  bool operator==(const CoreBits&) const = default;
};

class SystemView {
 public:
  explicit SystemView(unsigned cores) : bits_(cores) {}

  /// Announces a change of core `core`, which is seen from cycle `at` on. Call it between cycles.
  /// `at` must not be before the `at` of an earlier change.
  void change(Cycle at, unsigned core, CoreBits bits) { changes_.push_back({at, core, bits}); }
  /// Applies the changes that are seen from cycle `now` on.
  void advance(Cycle now) {
    for (; !changes_.empty() && changes_.front().at <= now; changes_.pop_front()) {
      take(changes_.front());
    }
  }

  bool any_work() const { return working_ != 0; }
  bool any_holds() const { return holding_ != 0; }
  const CoreBits& operator[](unsigned core) const { return bits_[core]; }
  unsigned cores() const { return static_cast<unsigned>(bits_.size()); }

 private:
  struct Change {
    Cycle at;
    unsigned core;
    CoreBits bits;
  };
  void take(const Change& change) {
    CoreBits& bits = bits_[change.core];
    working_ += unsigned{change.bits.work} - unsigned{bits.work};
    holding_ += unsigned{change.bits.holds} - unsigned{bits.holds};
    bits = change.bits;
  }

  std::vector<CoreBits> bits_;
  std::deque<Change> changes_;
  unsigned working_ = 0, holding_ = 0;
};

}  // namespace raddle::mechanisms::hwwl
