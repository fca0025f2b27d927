// Which of many sleepers are due: a scan of their times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace raddle {

/// Calls visit(i) for each i with at[i] <= limit, in order; visit() may change at[i]. Few are due
/// as a rule, so blocks are looked at first, which the compiler makes a few vector instructions of.
template <class Visit>
void for_each_due(const std::vector<Cycle>& at, Cycle limit, Visit&& visit) {
  constexpr std::size_t kBlock = 16;
  for (std::size_t first = 0; first < at.size(); first += kBlock) {
    const std::size_t end = std::min(at.size(), first + kBlock);
    Cycle least = kNever;
    for (std::size_t i = first; i < end; ++i) least = std::min(least, at[i]);
    if (least > limit) continue;
    for (std::size_t i = first; i < end; ++i) {
      if (at[i] <= limit) visit(static_cast<unsigned>(i));
    }
  }
}

}  // namespace raddle
