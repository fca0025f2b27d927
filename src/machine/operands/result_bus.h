// The buses that carry results to a scheduler's part of the register file.
#pragma once

#include <array>
#include <cstring>

#include "base/types.h"

namespace raddle::machine {

/// Each cycle has room for `width` results; a result takes the first cycle with room.
class ResultBus {
 public:
  /// Results are booked less than kSpan cycles ahead.
  static constexpr Cycle kSpan = 2048;

  explicit ResultBus(unsigned width) : width_(width) {}

  /// Takes and returns the first cycle from `at` on that has room. Calls come in order of `now`;
  /// `now` <= `at`.
  Cycle book(Cycle at, Cycle now) {
    pass(now);
    const Cycle last = now + kSpan - 1;
    while (at < last && booked_[at % kPlaces] == width_) ++at;
    ++booked_[at % kPlaces];
    return at;
  }

 private:
  static constexpr Cycle kBlock = 8;           // cycles that are forgotten at once
  static constexpr Cycle kPlaces = 2 * kSpan;  // old entries are not in the way

  /// Forgets cycles before `now`, in whole blocks; their places are reused for later cycles.
  void pass(Cycle now) {
    if (now - passed_ >= kPlaces) {
      booked_.fill(0);
      passed_ = now / kBlock * kBlock;
    }
    for (; passed_ + kBlock <= now; passed_ += kBlock) {
      std::memset(&booked_[passed_ % kPlaces], 0, kBlock);
    }
  }

  unsigned width_;
  Cycle passed_ = 0;  // all cycles before it are forgotten; the first of a block
  std::array<std::uint8_t, kPlaces> booked_{};
};

}  // namespace raddle::machine
