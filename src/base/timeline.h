// A level over time, as a statistic: samples at equal distances; the distance doubles whenever
// there are too many samples. It is only for one unit and for whole runs: for an interval it shows
// nothing.
#pragma once

#include <array>

#include "base/stats.h"

namespace raddle {

/// Keeps at most `kSamples` samples.
template <unsigned kSamples>
class Timeline : public Statistic {
 public:
  /// `distance`: of the first samples.
  Timeline(StatGroup& group, const char* name, const char* unit, const char* meaning,
           std::uint64_t distance)
      : Statistic(group, name, unit, meaning) {
    words_[0] = distance;
  }

  /// The distance between two samples.
  std::uint64_t distance() const { return words_[0]; }
  /// The next sample.
  void add(std::uint64_t level) {
    if (words_[1] == kSamples) halve();
    words_[2 + words_[1]++] = level;
  }

  const char* kind() const override { return "timeline"; }
  std::span<const std::uint64_t> words() const override { return words_; }
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues&) const override {
    std::vector<StatFigure> all;
    if (words[0] == 0 || words[1] > kSamples) return all;  // of an interval
    all.push_back({"distance", static_cast<double>(words[0]), true});
    for (unsigned n = 0; n < words[1]; ++n) {
      all.push_back({"samples." + std::to_string(n), static_cast<double>(words[2 + n]), true});
    }
    return all;
  }
  double number(std::span<const std::uint64_t> words, const StatValues&) const override {
    double sum = 0;
    for (unsigned n = 0; n < words[1]; ++n) sum += static_cast<double>(words[2 + n]);
    return sum / static_cast<double>(words[1]);
  }

 private:
  /// Replaces each two samples by their average.
  void halve() {
    for (unsigned n = 0; n < kSamples / 2; ++n) {
      words_[2 + n] = (words_[2 + 2 * n] + words_[3 + 2 * n]) / 2;
    }
    words_[0] *= 2;
    words_[1] = kSamples / 2;
  }
  static_assert(kSamples % 2 == 0);
  std::array<std::uint64_t, 2 + kSamples> words_{};  // distance, how many, samples
};

}  // namespace raddle
