#include "experiment/chart.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace raddle::experiment {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++number;
  return number;
}

TEST(Chart, BarsOfManyVariantsLookDifferent) {
  std::vector<Look> looks;
  for (std::size_t n = 0; n < 120; ++n) {
    const Look look = look_of(n);
    EXPECT_EQ(std::count(looks.begin(), looks.end(), look), 0) << n;
    EXPECT_TRUE(look.distance == 0 || look.width > 0) << n;
    looks.push_back(look);
  }
}

TEST(Chart, EveryPatternThatIsUsedIsDefinedForThisChart) {
  BarChart chart{"times", {"a"}, {}, 1.0};
  for (int n = 0; n < 20; ++n) chart.bars.push_back({"v" + std::to_string(n), {1.0}, {}});
  const std::string svg = svg_of(chart, "c3");
  for (std::size_t n = 7; n < 20; ++n) {
    const std::string name = "c3-" + std::to_string(n);
    EXPECT_EQ(count(svg, "<pattern id=\"" + name + "\""), 1u) << n;
    EXPECT_EQ(count(svg, "url(#" + name + ")"), 2u) << n << ": legend and bar";
  }
}

TEST(Chart, ThePapersNumbersAreMarksOnTheirRows) {
  Experiment experiment;
  experiment.programs = {{"p", "p", {}}, {"q", "q", {}}};
  experiment.variants = {{"v", {}, {}, {}, ""}};
  Figure figure;
  figure.metric = "m";
  figure.relation = Relation::speedup;
  figure.variants = {"v"};
  figure.said = {{{"q"}, {"v"}, 1.5, ""}};
  Series series;
  series.metric = "m";
  series.variant = "v";
  series.programs = 2;
  series.values = {{"p", 1.0}, {"q", 2.0}};
  series.average = 1.4;
  series.published = 1.3;
  const BarChart chart = chart_of(experiment, figure, {series});
  EXPECT_EQ(chart.rows, (std::vector<std::string>{"p", "q", "average", "median"}));
  ASSERT_EQ(chart.bars.size(), 1u);
  using Numbers = std::vector<std::optional<double>>;
  EXPECT_EQ(chart.bars[0].values, (Numbers{1.0, 2.0, 1.4, std::nullopt}));
  EXPECT_EQ(chart.bars[0].marks, (Numbers{std::nullopt, 1.5, 1.3, std::nullopt}));
  EXPECT_EQ(chart.line, 1.0);
  // Two marks, and one in the legend.
  EXPECT_EQ(count(svg_of(chart, "x"), "stroke=\"#000\""), 3u);
}

TEST(Chart, NamesAreEscaped) {
  const BarChart chart{"a < b", {"p & q"}, {{"<v>", {1.0}, {}}}, std::nullopt};
  const std::string svg = svg_of(chart, "x");
  EXPECT_NE(svg.find("p &amp; q"), std::string::npos);
  EXPECT_EQ(svg.find("<v>"), std::string::npos);
}

TEST(Chart, WithoutNumbersThereIsAnEmptyOne) {
  const BarChart chart{"a", {"p"}, {{"v", {std::nullopt}, {}}}, std::nullopt};
  EXPECT_EQ(svg_of(chart, "x").find("nan"), std::string::npos);
}

}  // namespace
}  // namespace raddle::experiment
