// What a block uses of its multiprocessor beyond what is handed out to it: as fractions of what the
// multiprocessor has, and as the levels that the table's entries hold.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

/// [Metric]: the levels that three bits hold (section V).
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

/// What levels mean. even: level n is n steps of a rate. doubling: levels are 0, 1, 2, 4 ... 64 steps, so
/// that three bits tell apart both the blocks of 16 threads and those of 991 that the paper's Table I has.
enum class Levels : std::uint8_t { doubling, even };

/// [Metric]: the size of a step, and how levels count them.
struct Steps {
  Rates of{};
  Levels levels = Levels::doubling;

  /// Rates as levels: the highest whose steps the rate has.
  Usage usage(const Rates& rates) const {
    Usage usage;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const double most = count(Usage::kMost);
      const auto whole = static_cast<unsigned>(std::clamp(rates[m] / of[m], 0.0, most));
      usage.levels[m] =
          static_cast<std::uint8_t>(levels == Levels::even ? whole : std::bit_width(whole));
    }
    return usage;
  }
  /// How many steps a level is.
  unsigned count(unsigned level) const {
    return levels == Levels::even || level == 0 ? level : 1u << (level - 1);
  }
  /// Whether a metric has moved by more than a step: by more than `of`, or, where levels double, to more
  /// than twice or less than half as much, too.
  bool moved(const Rates& from, const Rates& to) const {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const auto [low, high] = std::minmax(from[m], to[m]);
      if (high - low > of[m] && (levels == Levels::even || high > 2 * low)) return true;
    }
    return false;
  }
};

}  // namespace raddle::mechanisms::blocks
