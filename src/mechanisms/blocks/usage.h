// The usage of a multiprocessor by a block, beyond allocated resources. It is a fraction of the
// multiprocessor's capacity, or a level in an entry of the table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace raddle::mechanisms::blocks {

/// The metrics (thread-block-management, section III). memory: scheduler cycles lost because the
/// load-store unit was full. fpu: time of the floating-point units.
enum class Metric : std::uint8_t { memory, fpu };
inline constexpr std::size_t kMetrics = 2;

/// [Metric]: fraction of the multiprocessor's capacity, in a time span.
using Rates = std::array<double, kMetrics>;

/// [Metric]: a level of three bits (section V).
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

/// The meaning of levels. even: level n is n steps of a rate. doubling: the levels are 0, 1, 2, 4
/// ... 64 steps. With doubling, three bits distinguish small and large blocks: the paper's Table I
/// has blocks of 16 threads and of 991 threads.
enum class Levels : std::uint8_t { doubling, even };

/// [Metric]: the size of a step, and the meaning of levels.
struct Steps {
  Rates of{};
  Levels levels = Levels::doubling;

  /// Rates as levels: the highest level whose steps do not exceed the rate.
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
  /// The number of steps of a level.
  unsigned count(unsigned level) const {
    return levels == Levels::even || level == 0 ? level : 1u << (level - 1);
  }
  /// Whether a metric has moved by more than a step, which is `of`. With doubling levels the rate
  /// must also have more than doubled or fallen below half.
  bool moved(const Rates& from, const Rates& to) const {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const auto [low, high] = std::minmax(from[m], to[m]);
      if (high - low > of[m] && (levels == Levels::even || high > 2 * low)) return true;
    }
    return false;
  }
};

}  // namespace raddle::mechanisms::blocks
