#include "base/stats.h"

#include <gmock/gmock-matchers.h>

#include <cmath>

#include "base/merged_stats.h"

namespace raddle {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct CacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors found."};
  Counter misses{*this, "misses", "sectors", "Sectors not found."};
  Formula hit_rate{*this, "hit_rate", "fraction", "Sectors found, of all.",
                   [this](const StatValues& of) { return of(hits) / (of(hits) + of(misses)); }};
  Peak depth{*this, "depth", "entries", "The longest queue."};
  Mean delay{*this, "delay", "cycles", "The average delay."};
  Histogram<4> lanes{*this, "lanes", "lanes", "How many lanes."};
};

using Figures = std::vector<std::pair<std::string, double>>;

Figures figures_of(const std::vector<StatFigure>& all) {
  Figures figures;
  for (const StatFigure& one : all) figures.emplace_back(one.part, one.value);
  return figures;
}

Figures figures_of(const Statistic& statistic) { return figures_of(figures(statistic)); }

double figure(const Statistic& statistic, const std::string& part) {
  for (const StatFigure& one : figures(statistic)) {
    if (one.part == part) return one.value;
  }
  ADD_FAILURE() << "no figure " << part;
  return 0;
}

TEST(Stats, TotalSumsOneCounterOverAllUnitsOfAName) {
  StatGroup gpu("gpu");
  StatGroup sm0(gpu, "sm"), sm1(gpu, "sm");
  CacheStats a(sm0, "l1"), b(sm1, "l1"), l2(gpu, "l2");
  a.hits += 3;
  b.hits += 4;
  l2.hits += 100;
  ++a.misses;
  EXPECT_EQ(total(gpu, "l1", "hits"), 7u);
  EXPECT_EQ(total(gpu, "", "hits"), 107u);
}

TEST(Stats, StatisticsKeepTheirDeclarationOrder) {
  CacheStats stats("l1");
  std::vector<std::string_view> names;
  for (const Statistic* statistic : stats.statistics()) names.push_back(statistic->name());
  EXPECT_THAT(names, ElementsAre("hits", "misses", "hit_rate", "depth", "delay", "lanes"));
  EXPECT_EQ(stats.counters().size(), 2u);
}

TEST(Stats, APeakIsTheMostThatALevelHasBeen) {
  CacheStats stats("l1");
  stats.depth.set(3);
  stats.depth.set(7);
  stats.depth.set(2);
  EXPECT_THAT(figures_of(stats.depth), ElementsAre(Pair("", 7)));
}

TEST(Stats, APeaksIntervalBeginsWithTheLevelOfItsStart) {
  CacheStats stats("l1");
  stats.depth.set(7);
  stats.depth.set(2);
  EXPECT_EQ(stats.depth.take_interval(), 7u);
  EXPECT_EQ(stats.depth.take_interval(), 2u);
  stats.depth.touch(5);
  stats.depth.set(1);
  EXPECT_EQ(stats.depth.take_interval(), 5u);
  EXPECT_EQ(stats.depth.value(), 7u);
}

TEST(Stats, AMeanIsWeighted) {
  CacheStats stats("l1");
  stats.delay.add(10);
  stats.delay.add(1, 2);
  EXPECT_THAT(figures_of(stats.delay), ElementsAre(Pair("count", 3), Pair("mean", 4)));
}

TEST(Stats, AMeanOfNothingIsNone) {
  CacheStats stats("l1");
  EXPECT_TRUE(std::isnan(figure(stats.delay, "mean")));
  EXPECT_TRUE(std::isnan(figure(stats.lanes, "mean")));
  EXPECT_TRUE(std::isnan(figure(stats.lanes, "median")));
}

TEST(Stats, AFormulaIsComputedWhenItIsPrintedAndADivisionByZeroIsNone) {
  CacheStats stats("l1");
  EXPECT_TRUE(std::isnan(figure(stats.hit_rate, "")));
  stats.hits += 3;
  ++stats.misses;
  EXPECT_EQ(figure(stats.hit_rate, ""), 0.75);
}

TEST(Stats, AFormulaMayUseAllKinds) {
  CacheStats stats("l1");
  Formula all(stats, "all", "", "", [&](const StatValues& of) {
    return of(stats.depth) + of(stats.delay) + of(stats.lanes) + of(stats.hit_rate);
  });
  stats.depth.set(1000);
  stats.delay.add(100);
  stats.lanes.add(4);
  ++stats.hits;
  EXPECT_EQ(figure(all, ""), 1105);
}

TEST(Stats, ALinearHistogramHasABinForEachValueAndOneForMore) {
  CacheStats stats("l1");
  for (const unsigned value : {0u, 4u, 4u, 2u, 9u}) stats.lanes.add(value);
  EXPECT_THAT(
      figures_of(stats.lanes),
      ElementsAre(Pair("count", 5), Pair("mean", 19.0 / 5), Pair("median", 4), Pair("bins.0", 1),
                  Pair("bins.2", 1), Pair("bins.4", 2), Pair("bins.5+", 1)));
}

TEST(Stats, TheMedianOfAnEvenNumberIsTheLowerOfTheMiddle) {
  CacheStats stats("l1");
  for (const unsigned value : {4u, 1u, 0u, 3u}) stats.lanes.add(value);
  EXPECT_EQ(figure(stats.lanes, "median"), 1);
}

TEST(Stats, BinsOfSeveralValuesInterpolateTheMedian) {
  StatGroup group("unit");
  Histogram<39, 10> wide(group, "wide", "", "");
  for (unsigned value = 10; value < 20; ++value) wide.add(value);
  wide.add(40);
  EXPECT_THAT(figures_of(wide), ElementsAre(Pair("count", 11), Pair("mean", 185.0 / 11),
                                            Pair("median", testing::DoubleNear(15, 0.5)),
                                            Pair("bins.10-19", 10), Pair("bins.40+", 1)));
}

TEST(Stats, ALog2HistogramsBinsArePowersOfTwo) {
  StatGroup group("unit");
  Log2Histogram<5> log(group, "log", "", "");
  for (const std::uint64_t value : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 1000u}) log.add(value);
  const Figures figures = figures_of(log);
  EXPECT_THAT(Figures(figures.begin() + 3, figures.end()),
              ElementsAre(Pair("bins.0", 1), Pair("bins.1", 1), Pair("bins.2-3", 2),
                          Pair("bins.4-7", 2), Pair("bins.8+", 2)));
  EXPECT_EQ(figure(log, "mean"), 1025.0 / 8);
}

TEST(Stats, AUnitThatTakesThePlaceOfAnotherCountsOn) {
  StatGroup gpu("gpu");
  for (unsigned life = 0; life < 2; ++life) {
    for (unsigned sm = 0; sm < 2; ++sm) {
      gpu.unit<StatGroup>("sm", sm).unit<CacheStats>("l1").hits += sm + 1;
    }
  }
  ASSERT_EQ(gpu.children().size(), 2u);
  EXPECT_EQ(total(*gpu.children()[0], "l1", "hits"), 2u);
  EXPECT_EQ(total(*gpu.children()[1], "l1", "hits"), 4u);
}

/// Two multiprocessors with a cache each.
class Merged : public testing::Test {
 protected:
  CacheStats& cache(unsigned sm) { return gpu_.unit<StatGroup>("sm", sm).unit<CacheStats>("l1"); }
  Figures figures(const MergedStats& merged, const MergedStats::State& state, const char* name) {
    for (const MergedStats::Entry& entry : merged.entries()) {
      if (entry.unit == "sm.l1" && entry.statistic->name() == name) {
        return figures_of(merged.figures(entry, state));
      }
    }
    ADD_FAILURE() << "no statistic " << name;
    return {};
  }
  void count_some() {
    cache(0).hits += 1;
    cache(1).hits += 5;
    cache(0).misses += 2;
    cache(0).depth.set(9);
    cache(0).depth.set(2);
    cache(1).depth.set(4);
    cache(0).delay.add(10);
    cache(1).delay.add(1, 8);
    cache(0).lanes.add(1);
    cache(1).lanes.add(1);
    cache(1).lanes.add(4);
  }
  void expect_some(const MergedStats& merged, const MergedStats::State& state) {
    EXPECT_THAT(figures(merged, state, "hits"), ElementsAre(Pair("", 6)));
    EXPECT_THAT(figures(merged, state, "hit_rate"), ElementsAre(Pair("", 0.75)));
    EXPECT_THAT(figures(merged, state, "depth"), ElementsAre(Pair("", 9)));
    EXPECT_THAT(figures(merged, state, "delay"), ElementsAre(Pair("count", 9), Pair("mean", 2)));
    EXPECT_THAT(figures(merged, state, "lanes"),
                ElementsAre(Pair("count", 3), Pair("mean", 2), Pair("median", 1), Pair("bins.1", 2),
                            Pair("bins.4", 1)));
  }

  StatGroup gpu_{"gpu"};
};

TEST_F(Merged, UnitsAreMergedAsTheKindSays) {
  count_some();
  const MergedStats merged(gpu_);
  EXPECT_EQ(merged.entries().size(), 6u);
  MergedStats::State state;
  merged.read(state);
  expect_some(merged, state);
}

TEST_F(Merged, AnIntervalHasWhatWasCountedInIt) {
  count_some();
  cache(1).depth.set(20);
  cache(1).depth.set(0);
  const MergedStats merged(gpu_);
  MergedStats::State start, end, peaks = merged.no_peaks();
  merged.take_peaks(peaks);
  merged.read(start);
  count_some();
  merged.read(end);
  merged.subtract(end, start);
  merged.take_peaks(peaks);
  merged.set_peaks(end, peaks);
  expect_some(merged, end);
}

TEST_F(Merged, IntervalsAdd) {
  cache(0).hits += 2;
  cache(0).depth.set(3);
  cache(1).hits += 0;
  const MergedStats merged(gpu_);
  MergedStats::State first, second;
  merged.read(first);
  cache(1).depth.set(5);
  merged.read(second);
  merged.add(first, second);
  EXPECT_THAT(figures(merged, first, "hits"), ElementsAre(Pair("", 4)));
  EXPECT_THAT(figures(merged, first, "depth"), ElementsAre(Pair("", 5)));
  merged.add(first, merged.empty());
  EXPECT_THAT(figures(merged, first, "depth"), ElementsAre(Pair("", 5)));
}

}  // namespace
}  // namespace raddle
