// What a block uses of its multiprocessor beyond what is handed out to it: as fractions of what the
// multiprocessor has, and as the levels that the table's entries hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace raddle::mechanisms::blocks {

/// The metrics (thread-block-management, section III). memory: scheduler cycles lost because the
/// load-store unit took no more; fpu: time of the floating-point units.
enum class Metric : std::uint8_t { memory, fpu };
inline constexpr std::size_t kMetrics = 2;

/// [Metric]: of a multiprocessor, in a stretch of time.
using Rates = std::array<double, kMetrics>;

/// [Metric]: whole steps of a rate, at most what three bits hold (section V).
struct Usage {
  static constexpr unsigned kMost = 7;
  std::array<std::uint8_t, kMetrics> levels{};
  std::uint8_t operator[](Metric metric) const { return levels[static_cast<std::size_t>(metric)]; }
  bool operator==(const Usage&) const = default;
  /// Whether any metric is higher.
  bool exceeds(const Usage& other) const {
    return levels[0] > other.levels[0] || levels[1] > other.levels[1];
  }
};

/// [Metric]: of one level.
struct Steps {
  Rates of{};
  Usage usage(const Rates& rates) const {
    Usage usage;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const double steps = std::clamp(rates[m] / of[m], 0.0, double{Usage::kMost});
      usage.levels[m] = static_cast<std::uint8_t>(steps);
    }
    return usage;
  }
  /// Whether a metric has moved by more than a step.
  bool moved(const Rates& from, const Rates& to) const {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (std::max(from[m], to[m]) - std::min(from[m], to[m]) > of[m]) return true;
    }
    return false;
  }
};

}  // namespace raddle::mechanisms::blocks
