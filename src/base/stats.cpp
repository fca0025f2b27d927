#include "base/stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raddle {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

StatFigure whole(std::string part, std::uint64_t value) {
  return {std::move(part), static_cast<double>(value), true};
}

std::uint64_t sum_of(std::span<const std::uint64_t> bins) {
  std::uint64_t sum = 0;
  for (const std::uint64_t bin : bins) sum += bin;
  return sum;
}

class OwnValues : public StatValues {
 public:
  double operator()(const Statistic& statistic) const override {
    return statistic.number(statistic.words(), *this);
  }
};

}  // namespace

Statistic::Statistic(StatGroup& group, const char* name, const char* unit, const char* meaning)
    : name_(name), unit_(unit), meaning_(meaning) {
  group.statistics_.push_back(this);
}

Counter::Counter(StatGroup& group, const char* name, const char* unit, const char* meaning)
    : Statistic(group, name, unit, meaning) {
  group.counters_.push_back(this);
}

std::vector<StatFigure> Counter::figures(std::span<const std::uint64_t> words,
                                         const StatValues&) const {
  return {whole("", words[0])};
}

double Counter::number(std::span<const std::uint64_t> words, const StatValues&) const {
  return static_cast<double>(words[0]);
}

std::vector<StatFigure> Peak::figures(std::span<const std::uint64_t> words,
                                      const StatValues&) const {
  return {whole("", words[0])};
}

double Peak::number(std::span<const std::uint64_t> words, const StatValues&) const {
  return static_cast<double>(words[0]);
}

std::vector<StatFigure> Mean::figures(std::span<const std::uint64_t> words,
                                      const StatValues&) const {
  return {whole("count", words[1]), {"mean", ratio(words[0], words[1]), false}};
}

double Mean::number(std::span<const std::uint64_t> words, const StatValues&) const {
  return ratio(words[0], words[1]);
}

std::vector<StatFigure> HistogramBase::figures(std::span<const std::uint64_t> words,
                                               const StatValues&) const {
  const std::span<const std::uint64_t> bins = words.first(words.size() - 1);
  const std::uint64_t count = sum_of(bins);
  std::vector<StatFigure> all{whole("count", count),
                              {"mean", ratio(words.back(), count), false},
                              {"median", median(bins, count), false}};
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    if (bins[bin] != 0) all.push_back(whole("bins." + label(bin, bins.size()), bins[bin]));
  }
  return all;
}

double HistogramBase::number(std::span<const std::uint64_t> words, const StatValues&) const {
  return ratio(words.back(), sum_of(words.first(words.size() - 1)));
}

std::string HistogramBase::label(std::size_t bin, std::size_t bins) const {
  const std::uint64_t first = first_of(bin);
  if (bin + 1 == bins) return std::to_string(first) + "+";
  const std::uint64_t last = first_of(bin + 1) - 1;
  return last == first ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

/// The value in the middle: of an even number, the lower of the two in the middle.
double HistogramBase::median(std::span<const std::uint64_t> bins, std::uint64_t count) const {
  if (count == 0) return kNone;
  const std::uint64_t middle = (count + 1) / 2;  // counted from 1
  std::uint64_t before = 0;
  std::size_t bin = 0;
  while (before + bins[bin] < middle) before += bins[bin++];
  const auto first = static_cast<double>(first_of(bin));
  if (bin + 1 == bins.size()) return first;
  const double width = static_cast<double>(first_of(bin + 1)) - first;
  if (width == 1) return first;
  return first + (width - 1) * ratio(middle - before, bins[bin]);
}

std::vector<StatFigure> Formula::figures(std::span<const std::uint64_t> words,
                                         const StatValues& of) const {
  return {{"", number(words, of), false}};
}

double Formula::number(std::span<const std::uint64_t>, const StatValues& of) const {
  const double value = value_(of);
  return std::isfinite(value) ? value : kNone;
}

StatGroup::StatGroup(StatGroup& parent, std::string name)
    : name_(std::move(name)), parent_(&parent) {
  parent.children_.push_back(this);
}

StatGroup::~StatGroup() {
  if (parent_ != nullptr) std::erase(parent_->children_, this);
}

StatGroup* StatGroup::find(const std::string& name, unsigned index) {
  for (const auto& group : owned_) {
    if (group->name() == name && index-- == 0) return group.get();
  }
  return nullptr;
}

std::vector<StatFigure> figures(const Statistic& statistic) {
  return statistic.figures(statistic.words(), OwnValues());
}

namespace {

void add_total(const StatGroup& group, std::string_view unit, std::string_view name,
               std::uint64_t& sum) {
  if (unit.empty() || group.name() == unit) {
    for (Statistic* statistic : group.statistics()) {
      if (statistic->name() != name || statistic->words().size() != 1) continue;
      const std::uint64_t value = statistic->words()[0];
      sum = statistic->as_peak() == nullptr ? sum + value : std::max(sum, value);
    }
  }
  for (const StatGroup* child : group.children()) add_total(*child, unit, name, sum);
}

}  // namespace

std::uint64_t total(const StatGroup& group, std::string_view unit, std::string_view name) {
  std::uint64_t sum = 0;
  add_total(group, unit, name, sum);
  return sum;
}

}  // namespace raddle
