#include "experiment/agreement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiment/page.h"

namespace raddle::experiment {
namespace {

/// Three programs, in flat and dtbl; c has not run in dtbl.
class Agreement : public testing::Test {
 protected:
  Agreement() {
    experiment.name = "e";
    experiment.title = "An evaluation";
    experiment.variants = {{"flat", {}, {}, {}, ""}, {"dtbl", {}, {}, {}, ""}};
    experiment.programs = {{"a", "a", {}}, {"b", "b", {}}, {"c", "c", {}}};
    add("a", "flat", 100);
    add("b", "flat", 50);
    add("c", "flat", 10);
    add("a", "dtbl", 80);
    add("b", "dtbl", 100);
    Figure figure;
    figure.id = "11";
    figure.metric = "speedup";
    figure.title = "Speedup over flat";
    figure.statistic = Formula("totals.cycles");
    figure.relation = Relation::speedup;
    figure.against = {"flat"};
    figure.variants = {"dtbl"};
    figure.published = {{"dtbl", 1.21}};
    figure.said = {
        {{"a"}, {"dtbl"}, 1.5, ""}, {{"b"}, {"dtbl"}, 1.0, ""}, {{"c"}, {"dtbl"}, {}, "best"}};
    experiment.figures = {figure};
    experiment.orders = {{"dtbl ahead of flat", Formula("totals.cycles"), {"dtbl", "flat"}}};
  }

  void add(const std::string& program, const std::string& variant, int cycles) {
    statistics.add(program, variant, nlohmann::json{{"totals", {{"cycles", cycles}}}}.dump());
  }

  Results results() const {
    Results results;
    results.scale = "small";
    results.series = make_series(experiment, statistics);
    results.comparisons = compare_with_paper(experiment, results.series);
    results.orders = count_orders(experiment, statistics);
    results.failures = {{"c", "dtbl", "raddle run c <x>", 1, "it was killed"}};
    results.provenance = {"0.9",
                          {{"00ff", "a processor", "2026-01-01"}},
                          {"k20c (12ab)"},
                          "2026-01-02 03:04 UTC",
                          "raddle sweep x.toml",
                          "a-host"};
    return results;
  }

  Experiment experiment;
  Statistics statistics;
};

TEST_F(Agreement, AveragesAndProgramsAreSetBesideThePaper) {
  const std::vector<Comparison> all = results().comparisons;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(what_is_compared(all[0]), "average of 2 of 3");
  EXPECT_DOUBLE_EQ(all[0].here.value(), (1.25 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(all[0].paper.value(), 1.21);
  EXPECT_EQ(what_is_compared(all[1]), "a");
  EXPECT_DOUBLE_EQ(all[1].here.value(), 1.25);
  EXPECT_DOUBLE_EQ(all[1].paper.value(), 1.5);
  EXPECT_FALSE(all[3].here.has_value()) << "c has not run";
  EXPECT_EQ(all[3].words, "best");
}

TEST_F(Agreement, SidesAreThoseOfOneOrOfNothing) {
  const std::vector<Comparison> all = results().comparisons;
  EXPECT_EQ(same_side(all[0]), false) << "0.875 and 1.21";
  EXPECT_EQ(same_side(all[1]), true) << "1.25 and 1.5";
  EXPECT_EQ(same_side(all[2]), std::nullopt) << "the paper's is 1";
  EXPECT_EQ(same_side(all[3]), std::nullopt);
  Comparison one = all[1];
  Figure difference = experiment.figures[0];
  difference.relation = Relation::difference;
  one.figure = &difference;
  one.paper = -0.5;
  EXPECT_EQ(same_side(one), false) << "1.25 and -0.5";
  difference.relation = Relation::value;
  EXPECT_EQ(same_side(one), std::nullopt);
}

TEST_F(Agreement, OrdersAreCountedOverProgramsThatHaveAllVariants) {
  add("b", "cdp", 200);
  add("a", "cdp", 90);
  experiment.variants.push_back({"cdp", {}, {}, {}, ""});
  experiment.orders[0].variants = {"dtbl", "flat", "cdp"};
  const OrderCount count = count_orders(experiment, statistics).at(0);
  EXPECT_EQ(count.programs, 2u);
  // a: 80, 100, 90; b: 100, 50, 200.
  EXPECT_EQ(count.pairs, (std::vector<std::size_t>{1, 1}));
  EXPECT_TRUE(count.agreeing.empty());
}

TEST_F(Agreement, TheTextSaysOfHowManyProgramsAnAverageIs) {
  const Results all = results();
  const std::string text = agreement_text(all.comparisons, all.orders);
  EXPECT_NE(text.find("average of 2 of 3"), std::string::npos) << text;
  EXPECT_NE(text.find("1.210*"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 2 are on the paper's side"), std::string::npos) << text;
  EXPECT_NE(text.find("dtbl before flat"), std::string::npos) << text;
  const std::string table = series_text(experiment, all.series);
  EXPECT_NE(table.find("2 of 3"), std::string::npos) << table;
  EXPECT_NE(table.find("1.210*"), std::string::npos) << table;
  add("c", "dtbl", 10);
  const Results whole = results();
  EXPECT_EQ(agreement_text(whole.comparisons, whole.orders).find('*'), std::string::npos);
}

TEST_F(Agreement, ThePageSaysWhatMadeItAndWhatFailed) {
  const std::string page = results_page(experiment, results());
  for (const char* part :
       {"raddle 0.9", "2026-01-02 03:04 UTC", "k20c (12ab)", "runs made by 00ff on 2026-01-01",
        "Failed runs: 1", "it was killed", "raddle run c &lt;x&gt;", "average of 2 of 3", "1.210*",
        "2 of 3 programs", "speedup over flat", "stroke-dasharray", "the paper</text>",
        "download=\"e.csv\""}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_F(Agreement, CsvHasALineForEachNumber) {
  experiment.figures[0].metric = "a, \"b\"";
  EXPECT_EQ(results_csv(experiment, results()),
            "figure,metric,variant,program,here,paper\n"
            "11,\"a, \"\"b\"\"\",dtbl,a,1.25,1.5\n"
            "11,\"a, \"\"b\"\"\",dtbl,b,0.5,1\n"
            "11,\"a, \"\"b\"\"\",dtbl,c,,\n"
            "11,\"a, \"\"b\"\"\",dtbl,average,0.875,1.21\n"
            "11,\"a, \"\"b\"\"\",dtbl,median,0.875,\n");
}

TEST_F(Agreement, JsonHasIt) {
  const auto json = nlohmann::json::parse(results_json(experiment, results()));
  EXPECT_EQ(json["version"], "0.9");
  EXPECT_EQ(json["results"][0]["count"], 2);
  EXPECT_EQ(json["results"][0]["programs"], 3);
  EXPECT_EQ(json["numbers"][1]["program"], "a");
  EXPECT_EQ(json["numbers"][1]["same_side"], true);
  EXPECT_EQ(json["orders"][0]["agreeing"], nlohmann::json::array({"a"}));
  EXPECT_EQ(json["failures"][0]["why"], "it was killed");
}

}  // namespace
}  // namespace raddle::experiment
