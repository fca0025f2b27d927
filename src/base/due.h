// Which of many sleepers are due: a scan of their times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace raddle {

/// When each of a number of sleepers is due; at first, never.
class DueTimes {
 public:
  explicit DueTimes(std::size_t size = 0) : at_(size, kNever) { at_.push_back(kEnd); }

  std::size_t size() const { return at_.size() - 1; }
  Cycle& operator[](std::size_t i) { return at_[i]; }
  const Cycle& operator[](std::size_t i) const { return at_[i]; }

  /// The earliest time of all.
  Cycle first() const {
    Cycle least = kNever;
    for (std::size_t i = 0; i < size(); ++i) least = std::min(least, at_[i]);
    return least;
  }

  /// Calls visit(i) for each i that is due by `limit`, in order; with kNever, for each i. visit(i)
  /// may change when i is due. Usually few are due, so the speed of the search matters.
  template <class Visit>
  void for_each_due(Cycle limit, Visit&& visit) const {
    const Cycle* const at = at_.data();
    for (std::size_t i = 0;; ++i) {
#pragma GCC unroll 4
      while (at[i] > limit) ++i;
      if (i == size()) return;
      visit(static_cast<unsigned>(i));
    }
  }

 private:
  static constexpr Cycle kEnd = 0;  // behind the last: always due, which ends every search

  std::vector<Cycle> at_;
};

}  // namespace raddle
