#include "base/merged_stats.h"

#include <algorithm>

namespace raddle {
namespace {

/// Of the merged statistics, for formulas.
class MergedValues : public StatValues {
 public:
  MergedValues(const std::vector<MergedStats::Entry>& entries,
               const std::unordered_map<const Statistic*, std::size_t>& index,
               const MergedStats::State& state)
      : entries_(entries), index_(index), state_(state) {}

  double operator()(const Statistic& statistic) const override {
    const MergedStats::Entry& entry = entries_[index_.at(&statistic)];
    return entry.statistic->number(words(entry), *this);
  }
  std::span<const std::uint64_t> words(const MergedStats::Entry& entry) const {
    return std::span(state_).subspan(entry.at, entry.statistic->words().size());
  }

 private:
  const std::vector<MergedStats::Entry>& entries_;
  const std::unordered_map<const Statistic*, std::size_t>& index_;
  const MergedStats::State& state_;
};

}  // namespace

MergedStats::MergedStats(const StatGroup& root) { collect(root, ""); }

void MergedStats::collect(const StatGroup& group, const std::string& path) {
  for (Statistic* statistic : group.statistics()) {
    const auto [at, fresh] =
        by_name_.try_emplace(path + '\0' + std::string(statistic->name()), entries_.size());
    if (fresh) {
      entries_.push_back({path, statistic, words_});
      words_ += statistic->words().size();
    }
    by_statistic_[statistic] = at->second;
    const Entry& entry = entries_[at->second];
    if (Peak* peak = statistic->as_peak()) {
      const auto [in, first] = peak_of_.try_emplace(at->second, peaks_.size());
      if (first) peaks_.push_back({entry.at, {}});
      peaks_[in->second].of.push_back(peak);
    } else if (const auto words = statistic->words(); !words.empty()) {
      sums_.push_back({words.data(), static_cast<std::uint32_t>(words.size()),
                       static_cast<std::uint32_t>(entry.at)});
    }
  }
  for (const StatGroup* child : group.children()) {
    collect(*child, path.empty() ? child->name() : path + "." + child->name());
  }
}

void MergedStats::read(State& state) const {
  state.assign(words_, 0);
  // The words lie all over the tree: on large GPUs they are not in the first cache.
  constexpr std::size_t kAhead = 24;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Source& source = sums_[i];
    __builtin_prefetch(sums_[std::min(i + kAhead, sums_.size() - 1)].from);
    state[source.at] += *source.from;  // most have one
    for (std::uint32_t n = 1; n < source.words; ++n) state[source.at + n] += source.from[n];
  }
  for (const PeakEntry& peak : peaks_) {
    for (const Peak* one : peak.of) state[peak.at] = std::max(state[peak.at], one->value());
  }
}

void MergedStats::subtract(State& state, const State& start) const {
  for (std::size_t n = 0; n < words_; ++n) state[n] -= start[n];
  for (const PeakEntry& peak : peaks_) state[peak.at] += start[peak.at];
}

void MergedStats::add(State& state, const State& other) const {
  for (std::size_t n = 0; n < words_; ++n) state[n] += other[n];
  for (const PeakEntry& peak : peaks_) {
    state[peak.at] = std::max(state[peak.at] - other[peak.at], other[peak.at]);
  }
}

void MergedStats::take_peaks(State& peaks) const {
  for (std::size_t n = 0; n < peaks_.size(); ++n) {
    std::uint64_t most = 0;
    for (Peak* one : peaks_[n].of) most = std::max(most, one->take_interval());
    peaks[n] = most;
  }
}

void MergedStats::raise_peaks(State& peaks, const State& by) const {
  for (std::size_t n = 0; n < peaks_.size(); ++n) peaks[n] = std::max(peaks[n], by[n]);
}

void MergedStats::set_peaks(State& state, const State& peaks) const {
  for (std::size_t n = 0; n < peaks_.size(); ++n) state[peaks_[n].at] = peaks[n];
}

std::vector<StatFigure> MergedStats::figures(const Entry& entry, const State& state) const {
  const MergedValues values(entries_, by_statistic_, state);
  return entry.statistic->figures(values.words(entry), values);
}

}  // namespace raddle
