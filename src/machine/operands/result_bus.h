// The buses that bring results to a scheduler's part of the register file.
#pragma once

#include <algorithm>
#include <array>

#include "base/types.h"

namespace raddle::machine {

/// Each cycle has room for `width` results; a result takes the first cycle with room.
class ResultBus {
 public:
  /// Results are booked less than kSpan cycles ahead.
  static constexpr Cycle kSpan = 2048;

  explicit ResultBus(unsigned width) : width_(width) {}

  /// The first cycle from `at` on that has room, which it takes. Calls come in order of `now`;
  /// `now` <= `at`.
  Cycle book(Cycle at, Cycle now) {
    pass(now);
    const Cycle last = now + kSpan - 1;
    while (at < last && booked_[at % kSpan] == width_) ++at;
    ++booked_[at % kSpan];
    return at;
  }

 private:
  /// Forgets the cycles before `now`: their places stand for later ones.
  void pass(Cycle now) {
    if (now - passed_ >= kSpan) {
      booked_.fill(0);
    } else {
      for (; passed_ < now; ++passed_) booked_[passed_ % kSpan] = 0;
    }
    passed_ = now;
  }

  unsigned width_;
  Cycle passed_ = 0;  // all before it are forgotten
  std::array<std::uint8_t, kSpan> booked_{};
};

}  // namespace raddle::machine
