// Statistics: declared once, where they are counted; one tree a simulation, walked by every
// printer.
//
//   struct CacheStats : StatGroup {
//     using StatGroup::StatGroup;
//     Counter hits{*this, "hits", "sectors", "Sectors looked up and found."};
//     Counter misses{*this, "misses", "sectors", "Sectors looked up and not found."};
//     Formula hit_rate{*this, "hit_rate", "fraction", "Hits, of all that was looked up.",
//                      [this](auto& of) { return of(hits) / (of(hits) + of(misses)); }};
//   };
//   ...
//   Cache(StatGroup& parent) : stats_(parent.unit<CacheStats>("cache")) {}
//   ++stats_.hits;
//
// A Counter only grows; a Peak is the most that a level has been; a Mean averages what is added to
// it; a Histogram (linear bins) or Log2Histogram (powers of two) also counts how often each value
// came; a Formula is computed from others when it is printed. Updates are inline and touch the
// statistic alone.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace raddle {

class StatGroup;
class Statistic;
class Counter;
class Peak;

/// A figure that a statistic shows.
struct StatFigure {
  std::string part;    // which of its figures: "mean", "bins.8-15"; "" when it shows one alone
  double value = 0;    // counts are exact up to 2^53; NaN: none, as the mean of nothing
  bool whole = false;  // a count
};

/// The values of statistics, for formulas: a statistic's own, or those of all units together.
class StatValues {
 public:
  virtual ~StatValues() = default;
  /// A count, a peak, a mean (of a histogram too), the value of a formula; NaN: none.
  virtual double operator()(const Statistic& statistic) const = 0;
};

/// Common part of all kinds. The state is a few words. Units of one kind are merged word by word;
/// the counts of an interval are differences of words.
class Statistic {
 public:
  /// The texts must outlive the statistic (literals do).
  Statistic(StatGroup& group, const char* name, const char* unit, const char* meaning);
  virtual ~Statistic() = default;
  Statistic(const Statistic&) = delete;
  Statistic& operator=(const Statistic&) = delete;

  std::string_view name() const { return name_; }
  std::string_view unit() const { return unit_; }
  std::string_view meaning() const { return meaning_; }

  /// "count", "peak", "mean", "histogram", "formula" or "timeline".
  virtual const char* kind() const = 0;
  /// The present state: always the same number of words, at the same place.
  virtual std::span<const std::uint64_t> words() const = 0;
  /// The figures of such words, which may belong to other units. `of`: the values that formulas
  /// use.
  virtual std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                          const StatValues& of) const = 0;
  /// The one number of such words that formulas see.
  virtual double number(std::span<const std::uint64_t> words, const StatValues& of) const = 0;
  /// For merging and intervals: nullptr if words are added; a Peak if the largest counts.
  virtual Peak* as_peak() { return nullptr; }

 private:
  const char *name_, *unit_, *meaning_;
};

/// A count that only grows. Incrementing is one addition.
class Counter : public Statistic {
 public:
  Counter(StatGroup& group, const char* name, const char* unit, const char* meaning);

  Counter& operator++() { return ++value_, *this; }
  Counter& operator+=(std::uint64_t n) { return value_ += n, *this; }
  operator std::uint64_t() const { return value_; }
  std::uint64_t value() const { return value_; }

  const char* kind() const override { return "count"; }
  std::span<const std::uint64_t> words() const override { return {&value_, 1}; }
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues& of) const override;
  double number(std::span<const std::uint64_t> words, const StatValues& of) const override;

 private:
  std::uint64_t value_ = 0;
};

/// The largest value of a level; for several units, the largest of any of them.
class Peak : public Statistic {
 public:
  using Statistic::Statistic;

  /// The level is `level` from now on.
  void set(std::uint64_t level) {
    level_ = level;
    if (level <= since_) return;
    since_ = level;
    if (level > value_) value_ = level;
  }
  /// The level was `level` for a moment, and then as before.
  void touch(std::uint64_t level) {
    const std::uint64_t before = level_;
    set(level);
    level_ = before;
  }
  std::uint64_t value() const { return value_; }

  /// The peak since the last call. The next interval begins with the present level.
  std::uint64_t take_interval() {
    const std::uint64_t peak = since_;
    since_ = level_;
    return peak;
  }

  const char* kind() const override { return "peak"; }
  std::span<const std::uint64_t> words() const override { return {&value_, 1}; }
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues& of) const override;
  double number(std::span<const std::uint64_t> words, const StatValues& of) const override;
  Peak* as_peak() override { return this; }

 private:
  std::uint64_t value_ = 0, since_ = 0, level_ = 0;
};

/// The average of the added values; for several units, of the values added to all of them.
class Mean : public Statistic {
 public:
  using Statistic::Statistic;

  /// `weight`: the value counts as if it were added this often.
  void add(std::uint64_t value, std::uint64_t weight = 1) {
    words_[0] += value * weight;
    words_[1] += weight;
  }

  const char* kind() const override { return "mean"; }
  std::span<const std::uint64_t> words() const override { return words_; }
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues& of) const override;
  double number(std::span<const std::uint64_t> words, const StatValues& of) const override;

 private:
  std::array<std::uint64_t, 2> words_{};  // sum, how many
};

/// Figures of both histograms: number of values, mean, median, and each bin that is not empty.
/// Where a bin holds several values, the median is interpolated within it.
class HistogramBase : public Statistic {
 public:
  using Statistic::Statistic;
  const char* kind() const override { return "histogram"; }
  /// The bins, and the sum of all values.
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues& of) const override;
  double number(std::span<const std::uint64_t> words, const StatValues& of) const override;

 protected:
  /// The smallest value of a bin; the last bin has no upper end.
  virtual std::uint64_t first_of(std::size_t bin) const = 0;

 private:
  std::string label(std::size_t bin, std::size_t bins) const;
  double median(std::span<const std::uint64_t> bins, std::uint64_t count) const;
};

/// Bins of `kWidth` values each, for 0 to `kMost`, and one for what is larger.
template <unsigned kMost, unsigned kWidth = 1>
class Histogram : public HistogramBase {
 public:
  using HistogramBase::HistogramBase;
  void add(std::uint64_t value) {
    ++words_[value <= kMost ? value / kWidth : kBins - 1];
    words_[kBins] += value;
  }
  std::span<const std::uint64_t> words() const override { return words_; }

 private:
  static constexpr std::size_t kBins = kMost / kWidth + 2;
  std::uint64_t first_of(std::size_t bin) const override {
    return bin + 1 == kBins ? kMost + 1 : bin * kWidth;
  }
  std::array<std::uint64_t, kBins + 1> words_{};
};

/// Bins for 0, 1, 2 to 3, 4 to 7 and so on; the last of the `kBins` has no upper end.
template <unsigned kBins>
class Log2Histogram : public HistogramBase {
 public:
  using HistogramBase::HistogramBase;
  void add(std::uint64_t value) {
    const auto bin = static_cast<unsigned>(std::bit_width(value));
    ++words_[bin < kBins ? bin : kBins - 1];
    words_[kBins] += value;
  }
  std::span<const std::uint64_t> words() const override { return words_; }

 private:
  std::uint64_t first_of(std::size_t bin) const override {
    return bin == 0 ? 0 : std::uint64_t{1} << (bin - 1);
  }
  std::array<std::uint64_t, kBins + 1> words_{};
};

/// Computed from other statistics when it is printed; for several units, from their merged ones. A
/// division by zero shows as no value.
class Formula : public Statistic {
 public:
  using Value = std::function<double(const StatValues&)>;
  Formula(StatGroup& group, const char* name, const char* unit, const char* meaning, Value value)
      : Statistic(group, name, unit, meaning), value_(std::move(value)) {}

  const char* kind() const override { return "formula"; }
  std::span<const std::uint64_t> words() const override { return {}; }
  std::vector<StatFigure> figures(std::span<const std::uint64_t> words,
                                  const StatValues& of) const override;
  double number(std::span<const std::uint64_t> words, const StatValues& of) const override;

 private:
  Value value_;
};

/// A named node of the tree: statistics of one unit, and units below it. Neither copied nor moved.
/// Units that different threads run have no cache line in common.
class alignas(64) StatGroup {
 public:
  explicit StatGroup(std::string name) : name_(std::move(name)) {}
  /// Part of a group that has it as a member. One that ends before its parent leaves the tree, with
  /// all that it has counted: the statistics of a unit, which does, are made by unit().
  StatGroup(StatGroup& parent, std::string name);
  virtual ~StatGroup();
  StatGroup(const StatGroup&) = delete;
  StatGroup& operator=(const StatGroup&) = delete;

  /// The statistics of unit `index` of those called `name` below this one, which are asked for in
  /// order. They belong to this group: a unit that takes the place of an earlier one counts on.
  template <class Stats>
  Stats& unit(const std::string& name, unsigned index = 0) {
    if (StatGroup* there = find(name, index)) return dynamic_cast<Stats&>(*there);
    auto fresh = std::make_unique<Stats>(*this, name);
    Stats& stats = *fresh;
    owned_.push_back(std::move(fresh));
    return stats;
  }

  const std::string& name() const { return name_; }
  /// In order of declaration.
  const std::vector<Statistic*>& statistics() const { return statistics_; }
  /// The counters among them.
  const std::vector<const Counter*>& counters() const { return counters_; }
  const std::vector<const StatGroup*>& children() const { return children_; }

 private:
  friend class Statistic;
  friend class Counter;
  StatGroup* find(const std::string& name, unsigned index);

  std::string name_;
  StatGroup* parent_ = nullptr;
  std::vector<Statistic*> statistics_;
  std::vector<const Counter*> counters_;
  std::vector<const StatGroup*> children_;
  std::vector<std::unique_ptr<StatGroup>> owned_;  // ends before children_
};

/// What it shows by itself.
std::vector<StatFigure> figures(const Statistic& statistic);

/// Sum of the counter `name`, or the largest of the peak, over `group` and all groups below it that
/// are called `unit` ("" = any): total(gpu, "l1", "hits").
std::uint64_t total(const StatGroup& group, std::string_view unit, std::string_view name);

}  // namespace raddle
