// A multiprocessor's watch over its resident blocks. Each block has its own period. At each look,
// the tracker compares the block's counters with those of its last look (thread-block-management,
// section IV).
#pragma once

#include <optional>
#include <vector>

#include "machine/sm_view.h"
#include "mechanisms/blocks/meter.h"

namespace raddle::mechanisms::blocks {

/// The result of a look.
struct Look {
  Rates rates{};
  Cycle cycles = 0;    // the time between this look and the last
  bool moved = false;  // by more than a step since the last look that was reported
};

class Tracker {
 public:
  /// `places`: block slots of the multiprocessor.
  Tracker(const Meter& meter, const Steps& steps, unsigned places)
      : meter_(&meter), steps_(&steps), watched_(places) {}

  /// A block has started. From its first cycle on, it is looked at every `period` SM cycles.
  void started(const machine::PlacedBlock& block, Cycle period);
  /// The block's context is restored, and the block continues in cycle `now`. Earlier counts are
  /// ignored.
  void restored(const machine::PlacedBlock& block, Cycle now);
  /// The block ends or leaves at the end of cycle `now`.
  struct End {
    Look all;   // of all its time here
    Look last;  // of the time since the last look
  };
  End ended(const machine::PlacedBlock& block, Cycle now);

  /// The first cycle at whose end a look at a block is due.
  Cycle next() const { return next_; }
  /// Whether a look at the block in this slot is due at the end of cycle `now`. Its counters must
  /// be up to date to the end of that cycle.
  bool is_due(unsigned slot, Cycle now) const { return watched_[slot].next <= now; }
  /// Looks at the block. Returns none when the block is being saved or restored, as it does not
  /// execute.
  std::optional<Look> look(const machine::PlacedBlock& block, Cycle now);

 private:
  struct Watched {
    Cycle next = kNever;  // the next look
    Cycle period = 0;
    Cycle from = 0;  // the end of the last look
    Cycle since = 0;
    Reading reading, first;  // at the last look; when the block started or continued
    Rates told{};
  };
  void find_next();

  const Meter* meter_;
  const Steps* steps_;
  std::vector<Watched> watched_;  // [slot]
  Cycle next_ = kNever;
};

}  // namespace raddle::mechanisms::blocks
