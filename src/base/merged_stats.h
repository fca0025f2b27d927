// Statistics of a tree with all units of one kind merged: for comparisons, and for the totals of a
// launch.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/stats.h"

namespace raddle {

/// One entry for each statistic of each path ("sm.l1", "hits"), for all its units together. The
/// kind decides how the state is merged: counts, bins and sums are added, the largest peak counts,
/// and formulas are computed from the merged values.
class MergedStats {
 public:
  struct Entry {
    std::string unit;  // path of the units below the root, "" for its own statistics
    const Statistic* statistic = nullptr;  // of the first of them
    std::size_t at = 0;                    // of its words in a State
  };
  /// The words of all entries, at one time or over an interval.
  using State = std::vector<std::uint64_t>;

  /// All units must exist already; the tree must outlive this object.
  explicit MergedStats(const StatGroup& root);

  /// In the order of the tree.
  const std::vector<Entry>& entries() const { return entries_; }
  State empty() const { return State(words_); }
  /// What all units have counted. Peaks: since the start.
  void read(State& state) const;

  /// Turns `state`, read at the end of an interval, into the state of the interval; `start` was
  /// read at its beginning. Peaks stay as they are.
  void subtract(State& state, const State& start) const;
  /// Adds the counts of another interval.
  void add(State& state, const State& other) const;
  /// Takes the peaks since the last call; `peaks` has one word for each.
  void take_peaks(State& peaks) const;
  /// Raises the peaks in `state` to those in `by`, or sets them.
  void raise_peaks(State& peaks, const State& by) const;
  void set_peaks(State& state, const State& peaks) const;
  State no_peaks() const { return State(peaks_.size()); }

  std::vector<StatFigure> figures(const Entry& entry, const State& state) const;

 private:
  struct Source {
    const std::uint64_t* from;
    std::uint32_t words, at;
  };
  struct PeakEntry {
    std::size_t at;
    std::vector<Peak*> of;
  };
  void collect(const StatGroup& group, const std::string& path);

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_name_;            // path and name: entries_
  std::unordered_map<const Statistic*, std::size_t> by_statistic_;  // of any unit
  std::vector<Source> sums_;
  std::vector<PeakEntry> peaks_;
  std::unordered_map<std::size_t, std::size_t> peak_of_;  // [entry] index in peaks_
  std::size_t words_ = 0;
};

}  // namespace raddle
