// When an engine checks whether warps wait for ever (warp/spin_watch.h). A check begins after no
// block has ended for long, and it lasts a fraction of that time. Any change of state ends the
// check at once, so that programs which make progress pay almost nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "base/own_threads.h"
#include "base/types.h"
#include "isa/global_port.h"
#include "machine/warp/spin_watch.h"

namespace raddle::machine {

/// Cycles are cycles of the engine's clock.
class SpinCheck {
 public:
  /// The n-th watch sees the accesses of warps at the n-th port. A check lasts at most `longest`
  /// cycles, or an eighth of the time since a block ended, if that is longer.
  SpinCheck(std::vector<isa::GlobalPort*> ports, Cycle longest)
      : ports_(std::move(ports)), watches_(ports_.size()), longest_look_(longest) {}

  /// The cycle of the next call of look().
  Cycle next() const { return next_; }
  bool watching() const { return watching_; }
  const SpinWatch& watch(std::size_t port) const { return watches_[port]; }

  /// A block has ended: warps make progress.
  void block_ended(Cycle now) {
    wait_ = kFirst;
    next_ = now + kFirst;
    if (watching_) end();
  }

  void begin(Cycle now) {
    began_ = now;
    next_ = now + kBetweenLooks;
    for (std::size_t n = 0; n < ports_.size(); ++n) {
      watches_[n].begin();
      ports_[n]->watch(&watches_[n]);
    }
    watching_ = true;
  }

  /// Call it between cycles, while watching. Returns whether nothing has changed so far, no warp
  /// waits for the host, and `all_wait` is true, which is asked last.
  template <class AllWait>
  bool look(Cycle now, bool host_writes_managed, AllWait all_wait) {
    const bool disturbed =
        std::any_of(watches_.begin(), watches_.end(), [&](const SpinWatch& watch) {
          return watch.changed || watch.of_host || (watch.of_managed && host_writes_managed);
        });
    // Other threads of the program may call the runtime, or write to memory that kernels read.
    const bool alone = disturbed || !all_wait() ? false : !program_has_other_threads();
    if (alone) return true;
    if (disturbed || now - began_ > std::max(longest_look_, wait_ / 8)) {
      postpone(now);
    } else {
      next_ = now + kBetweenLooks;
    }
    return false;
  }

  /// The host has done something meanwhile: the check begins again.
  void host_was_here(Cycle now) {
    if (!watching_) return;
    end();
    next_ = now + kBetweenLooks;
  }

  void postpone(Cycle now) {
    if (watching_) end();
    wait_ = std::min(2 * wait_, kLongest);
    next_ = now + wait_;
  }

 private:
  static constexpr Cycle kFirst = 1 << 17, kLongest = 1 << 30;  // cycles without the end of a block
  static constexpr Cycle kBetweenLooks = 1 << 11;

  void end() {
    for (isa::GlobalPort* port : ports_) port->watch(nullptr);
    watching_ = false;
  }

  std::vector<isa::GlobalPort*> ports_;
  std::vector<SpinWatch> watches_;
  Cycle longest_look_;
  Cycle wait_ = kFirst, next_ = kFirst, began_ = 0;
  bool watching_ = false;
};

inline constexpr const char* kWaitForEver =
    "all warps wait for what none of them will do: those that run repeat themselves, with the same "
    "values, and nothing can change what they read";

}  // namespace raddle::machine
