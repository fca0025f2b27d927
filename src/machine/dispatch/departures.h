// Blocks on their way from their multiprocessors, from the request to the dispatcher's hands; and
// the requests that a setting makes at random.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "machine/config.h"
#include "machine/dispatch/dispatcher.h"
#include "machine/mechanism.h"
#include "machine/sm/sm.h"

namespace raddle::machine {

class Departures {
 public:
  Departures(const ChipConfig& config, std::vector<std::unique_ptr<Sm>>& sms,
             Dispatcher& dispatcher);

  /// LaunchPath::preempt().
  Departure request(GridId grid, std::uint64_t block, std::function<void()> left, Cycle now);
  /// A block that Preemption::can_leave() or that is stuck begins to leave.
  void begin(ResidentBlock& block, bool forced, std::function<void()> left, Cycle now);
  /// A warp was woken, whose block perhaps stays.
  void woken();

  /// At the end of each cycle: each block comes as far as it can.
  void cycle(Cycle now);
  /// When a block is to be chosen at random, if anything happens at all.
  Cycle wake() const { return next_random_; }
  void clear() { leaving_.clear(); }

 private:
  struct Leaving {
    ResidentBlock* block = nullptr;
    Sm* sm = nullptr;
    std::function<void()> left;
  };
  ResidentBlock* find(GridId grid, std::uint64_t block);
  bool proceed(const Leaving& leaving, Cycle now);
  void preempt_any(Cycle now);
  void draw_next(Cycle now);
  std::uint64_t random();

  std::vector<std::unique_ptr<Sm>>& sms_;
  Dispatcher& dispatcher_;
  std::vector<Leaving> leaving_;
  std::uint64_t every_, state_;
  Cycle next_random_ = kNever;
};

}  // namespace raddle::machine
