// A multiprocessor's watch over its resident blocks: it compares the counters of each, by a clock of
// the block's own, with those of the last look (thread-block-management, section IV).
#pragma once

#include <optional>
#include <vector>

#include "machine/sm_view.h"
#include "mechanisms/blocks/meter.h"

namespace raddle::mechanisms::blocks {

/// What a look has seen.
struct Look {
  Rates rates{};
  Cycle cycles = 0;    // the time that they are of
  bool moved = false;  // by more than a step since the last that was told
};

class Tracker {
 public:
  /// `places`: of the multiprocessor.
  Tracker(const Meter& meter, const Steps& steps, unsigned places)
      : meter_(&meter), steps_(&steps), watched_(places) {}

  /// A block has come, and is looked at every `period` SM cycles from its first cycle on.
  void started(const machine::PlacedBlock& block, Cycle period);
  /// Its state has come, and it goes on in cycle `now`: what was before does not count.
  void restored(const machine::PlacedBlock& block, Cycle now);
  /// It ends or leaves, at the end of cycle `now`.
  struct End {
    Look all;   // of all of its time here
    Look last;  // of the time since the last look
  };
  End ended(const machine::PlacedBlock& block, Cycle now);

  /// The first cycle at whose end a block is to be looked at.
  Cycle next() const { return next_; }
  /// At the end of that cycle: the block in this slot, if it is its time. Its counters hold up to the
  /// end of the cycle.
  bool is_due(unsigned slot, Cycle now) const { return watched_[slot].next <= now; }
  /// Nothing: it is on its way, and does not work.
  std::optional<Look> look(const machine::PlacedBlock& block, Cycle now);

 private:
  struct Watched {
    Cycle next = kNever;  // the next look
    Cycle period = 0;
    Cycle from = 0;  // when the last look was over
    Cycle since = 0;
    Reading reading, first;  // at the last look; when it began or went on
    Rates told{};
  };
  void find_next();

  const Meter* meter_;
  const Steps* steps_;
  std::vector<Watched> watched_;  // [slot]
  Cycle next_ = kNever;
};

}  // namespace raddle::mechanisms::blocks
