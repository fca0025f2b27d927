#include "experiment/figures.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "experiment/page.h"
#include "experiment/results.h"

namespace raddle::experiment {
namespace {

/// Two programs in two variants: cycles 100 and 50 (flat), 80 and 100 (dtbl).
class Figures : public testing::Test {
 protected:
  Figures() {
    experiment.name = "e";
    experiment.variants = {{"flat", {}, {}, {}, ""}, {"dtbl", {}, {}, {}, ""}};
    experiment.programs = {{"a", "a", {}}, {"b", "b", {}}};
    add("a", "flat", 100);
    add("b", "flat", 50);
    add("a", "dtbl", 80);
    add("b", "dtbl", 100);
  }

  void add(const std::string& program, const std::string& variant, int cycles) {
    statistics.add(program, variant, nlohmann::json{{"totals", {{"cycles", cycles}}}}.dump());
  }

  /// The one series of a figure of dtbl against flat.
  Series of(Relation relation, Average average = Average::arithmetic, double factor = 1) {
    Figure figure;
    figure.id = "1";
    figure.metric = "m";
    figure.statistic = Formula("totals.cycles");
    figure.relation = relation;
    if (relation != Relation::value) figure.against = {"flat"};
    figure.average = average;
    figure.factor = factor;
    figure.variants = {"dtbl"};
    figure.published = {{"dtbl", 1.21}};
    experiment.figures = {figure};
    return make_series(experiment, statistics).at(0);
  }

  Results results_of(const std::vector<Series>& series) {
    Results results;
    results.scale = "small";
    results.series = series;
    results.comparisons = compare_with_paper(experiment, series);
    results.orders = count_orders(experiment, statistics);
    return results;
  }

  Experiment experiment;
  Statistics statistics;
};

TEST(Statistics, HaveTheKernelsByTheirNames) {
  Statistics statistics;
  statistics.add("p", "v", R"({"kernel_sums": [
    {"name": "_Z4topoPi", "cycles": 7, "time_us": 2, "statistics": {"sm": {"l1": {"hit_rate": 0.5}}}},
    {"name": "_Z3addIiiEvPiS0_", "cycles": 8}]})");
  const auto& numbers = *statistics.numbers("p", "v");
  EXPECT_EQ(numbers.at("kernels.topo.cycles"), 7);
  EXPECT_EQ(numbers.at("kernels._Z4topoPi.statistics.sm.l1.hit_rate"), 0.5);
  EXPECT_EQ(numbers.at("kernels._Z3addIiiEvPiS0_.cycles"), 8);
  EXPECT_EQ(numbers.at("kernels.cycles"), 15);
  EXPECT_EQ(numbers.at("kernels.time_us"), 2);
  EXPECT_EQ(numbers.size(), 9u);
}

TEST_F(Figures, RelateToTheBestOfSeveralVariantsProgramByProgram) {
  experiment.variants.push_back({"cdp", {}, {}, {}, ""});
  add("a", "cdp", 200);  // flat is better: 100 / 80
  add("b", "cdp", 25);   // cdp is better: 25 / 100
  of(Relation::speedup);
  experiment.figures[0].against = {"flat", "cdp"};
  const Series series = make_series(experiment, statistics).at(0);
  EXPECT_DOUBLE_EQ(series.values.at("a"), 1.25);
  EXPECT_DOUBLE_EQ(series.values.at("b"), 0.25);
}

TEST_F(Figures, ShowThePublishedRange) {
  of(Relation::speedup);
  experiment.figures[0].published_least = {{"dtbl", 1.2}};
  experiment.figures[0].published_most = {{"dtbl", 2.4}};
  const auto series = make_series(experiment, statistics);
  const auto json = nlohmann::json::parse(results_json(experiment, results_of(series)));
  EXPECT_EQ(json["results"][0]["paper_least"], 1.2);
  EXPECT_EQ(json["results"][0]["paper_most"], 2.4);
  const std::string text = series_text(experiment, series);
  EXPECT_NE(text.find("paper's least                 1.200"), std::string::npos) << text;
  EXPECT_NE(text.find("paper's most                  2.400"), std::string::npos) << text;
}

TEST_F(Figures, HaveNoRowsOfProgramsThatNoVariantRuns) {
  of(Relation::value);
  experiment.programs.push_back(experiment.programs.front());
  experiment.programs.back().name = "elsewhere";
  for (Variant& variant : experiment.variants) variant.programs = {"a", "b"};
  const auto series = make_series(experiment, statistics);
  EXPECT_EQ(series_text(experiment, series).find("elsewhere"), std::string::npos);
  experiment.variants.back().programs = {};  // all; it did not run, or failed
  for (Figure& figure : experiment.figures) figure.variants = {experiment.variants.back().name};
  EXPECT_NE(series_text(experiment, series).find("elsewhere"), std::string::npos);
}

TEST_F(Figures, ValueIsTheStatistic) { EXPECT_EQ(of(Relation::value).values.at("b"), 100); }

TEST_F(Figures, SpeedupIsTheOtherOverOwn) {
  const Series series = of(Relation::speedup);
  EXPECT_DOUBLE_EQ(series.values.at("a"), 1.25);
  EXPECT_DOUBLE_EQ(series.values.at("b"), 0.5);
  EXPECT_DOUBLE_EQ(series.average.value(), 0.875);
  EXPECT_DOUBLE_EQ(series.published.value(), 1.21);
}

TEST_F(Figures, MedianIsTheMiddle) {
  EXPECT_DOUBLE_EQ(of(Relation::value).median.value(), 90);  // of 80 and 100
  experiment.programs.push_back(experiment.programs.front());
  experiment.programs.back().name = "c";
  add("c", "dtbl", 1000);
  EXPECT_DOUBLE_EQ(of(Relation::value).median.value(), 100);
}

TEST_F(Figures, GeometricAverageIsTheRootOfTheProduct) {
  // sqrt(1.25 x 0.5)
  EXPECT_NEAR(of(Relation::speedup, Average::geometric).average.value(), 0.790569415, 1e-9);
}

TEST_F(Figures, NegativeNumbersHaveNoGeometricAverage) {
  EXPECT_EQ(of(Relation::ratio, Average::geometric, -1).average, std::nullopt);
}

TEST_F(Figures, DifferenceTakesAFactor) {
  EXPECT_DOUBLE_EQ(of(Relation::difference, Average::arithmetic, 100).values.at("a"), -2000);
}

TEST_F(Figures, ReductionIsThePartSaved) {
  EXPECT_DOUBLE_EQ(of(Relation::reduction).values.at("a"), 0.2);
}

TEST_F(Figures, RatioToNothingIsLeftOut) {
  add("a", "flat", 0);
  const Series series = of(Relation::ratio);
  EXPECT_EQ(series.values.count("a"), 0u);
  EXPECT_DOUBLE_EQ(series.average.value(), 2);
}

TEST_F(Figures, MissingRunIsLeftOut) {
  experiment.programs.push_back({"c", "c", {}});
  EXPECT_EQ(of(Relation::speedup).values.size(), 2u);
}

TEST_F(Figures, AStatisticThatNoRunHasIsTold) {
  of(Relation::speedup);
  Figure& figure = experiment.figures.front();
  figure.statistic = Formula("totals.cycles / totals.cylces");
  figure.place = {"e.toml", 7, 13};
  EXPECT_EQ(unknown_statistics(experiment, statistics),
            std::vector<std::string>{"e.toml:7:13: no run of the figure m has 'totals.cylces'"});
  // Not while a variant that may have it has not run.
  experiment.variants.push_back({"cdp", {}, {}, {}, ""});
  figure.variants.emplace_back("cdp");
  EXPECT_TRUE(unknown_statistics(experiment, statistics).empty());
}

TEST_F(Figures, AStatisticThatOneRunHasIsKnown) {
  of(Relation::speedup);
  experiment.figures.front().statistic = Formula("totals.cycles + dtbl.groups");
  statistics.add("a", "dtbl", R"({"dtbl": {"groups": 0}})");
  EXPECT_TRUE(unknown_statistics(experiment, statistics).empty());
}

TEST_F(Figures, PageNamesTheFileWhereverItLies) {
  // An experiment of one's own is not `raddle reproduce`'s.
  const std::string page = results_page(experiment, results_of({of(Relation::speedup)}));
  EXPECT_NE(page.find("from e.toml"), std::string::npos);
}

TEST_F(Figures, JsonHasAveragesAndPublishedOnes) {
  const std::vector<Series> series = {of(Relation::speedup)};
  const auto json = nlohmann::json::parse(results_json(experiment, results_of(series)));
  EXPECT_EQ(json["id"], "e");
  EXPECT_EQ(json["scale"], "small");
  EXPECT_EQ(json["results"][0]["variant"], "dtbl");
  EXPECT_EQ(json["results"][0]["average"], 0.875);
  EXPECT_EQ(json["results"][0]["paper"], 1.21);
  EXPECT_EQ(json["results"][0]["values"]["a"], 1.25);
}

// Twice the cycles at four times the clock is half the time.
TEST_F(Figures, CyclesOfDifferentClocksAreTold) {
  const auto run = [&](const char* variant, double mhz) {
    statistics.add("a", variant,
                   nlohmann::json{{"core_mhz", mhz}, {"totals", {{"cycles", 100}}}}.dump());
  };
  of(Relation::speedup);
  run("flat", 500);
  run("dtbl", 500);
  EXPECT_TRUE(cycles_of_different_clocks(experiment, statistics).empty());
  run("dtbl", 1000);
  EXPECT_EQ(cycles_of_different_clocks(experiment, statistics).size(), 1u);
  experiment.figures.front().statistic = Formula("totals.time_us");
  EXPECT_TRUE(cycles_of_different_clocks(experiment, statistics).empty());
  of(Relation::value);
  EXPECT_TRUE(cycles_of_different_clocks(experiment, statistics).empty());
}

TEST_F(Figures, ManyVariantsHaveALineEach) {
  of(Relation::speedup);
  EXPECT_EQ(averages_text(experiment, make_series(experiment, statistics)), "");
  for (int i = 0; i < 12; ++i) {
    experiment.figures.front().variants.push_back("v" + std::to_string(i));
  }
  const std::string text = averages_text(experiment, make_series(experiment, statistics));
  EXPECT_NE(text.find("0.875    0.875    0.500    1.250     2 of 2"), std::string::npos) << text;
  EXPECT_NE(text.find("  v11 "), std::string::npos) << text;
}

TEST_F(Figures, TablesFitEightyColumns) {
  of(Relation::speedup);
  for (int i = 0; i < 9; ++i) {
    experiment.figures.front().variants.push_back("dtbl,l2.latency=" + std::to_string(i));
  }
  const std::string text = series_text(experiment, make_series(experiment, statistics));
  std::size_t line = 0, longest = 0;
  for (const char letter : text) {
    line = letter == '\n' ? 0 : line + 1;
    longest = std::max(longest, line);
  }
  EXPECT_LE(longest, 80u);
  EXPECT_NE(text.find("latency=8"), std::string::npos);
}

TEST_F(Figures, HeadingsOfLongNamesAreWhole) {
  of(Relation::value);
  // As long as one another, and with the same beginning and end.
  experiment.figures.front().variants = {"hardware,list=1,local_sort,l2.latency=100",
                                         "hardware,list=2,local_sort,l2.latency=100"};
  for (const std::string& name : experiment.figures.front().variants) {
    experiment.variants.push_back({name, {}, {}, {}, ""});
  }
  const std::string text = series_text(experiment, make_series(experiment, statistics));
  for (const char* part : {"list=1,", "list=2,"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

/// A run's statistics with something in place of its totals; what is said of them.
std::string damage(const std::string& totals, int exit_code = 0) {
  StoredRun run{{"key", "", ""},
                "p",
                "v",
                "small",
                "command",
                exit_code,
                1.0,
                "{\"totals\": " + totals + "}",
                ""};
  try {
    statistics_of({run}, "results/x.sqlite");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_F(Figures, DamagedStatisticsAreNamedByFileRunAndMember) {
  EXPECT_EQ(damage("{\"cycles\": 3}"), "");
  EXPECT_EQ(damage("{\"cycles\": -3}", 1), "");  // of a run that failed nothing is read
  const std::string where = "results/x.sqlite: the statistics of p with v: ";
  for (const char* wrong : {"-3", "\"3\"", "[3]", "true"}) {
    EXPECT_THAT(damage(std::string("{\"cycles\": ") + wrong + "}"),
                testing::StartsWith(where + "totals.cycles: should be"));
  }
  EXPECT_THAT(damage("[]"), testing::StartsWith(where + "totals: should be"));
  EXPECT_THAT(damage("{\"cycles\": 3"), testing::HasSubstr("it is cut off after"));
  EXPECT_THAT(damage("{\"cycles\": 3, \"cycles\": 4}"),
              testing::StartsWith(where + "totals.cycles: it is there twice"));
}

}  // namespace
}  // namespace raddle::experiment
