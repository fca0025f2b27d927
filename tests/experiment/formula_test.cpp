#include "experiment/formula.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raddle::experiment {
namespace {

std::optional<double> value(const char* text) {
  return Formula(text).value(
      {{"totals.cycles", 30}, {"a", 2}, {"b", 3}, {"c", 4}, {"zero", 0}, {"cdp.wait", 50}});
}

std::string complaint(const char* text) {
  try {
    const Formula formula(text);
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("totals.cycles"), 30);
  EXPECT_EQ(value("totals.cycles - totals.cycles"), 0);
  EXPECT_EQ(value("totals.cycles / a / b"), 5);
  EXPECT_EQ(value("c - b - a"), -1);
  EXPECT_EQ(value("a + b * c"), 14);
  EXPECT_EQ(value("(a + b) * c"), 20);
  EXPECT_EQ(value("totals.cycles / (a + b - c)"), 30);
}

TEST(Formula, NeedsNoBlanks) {
  EXPECT_EQ(value("a+b"), 5);
  EXPECT_EQ(value(" ( a+b)/a "), 2.5);
}

TEST(Formula, SumsTakeWhatIsThere) {
  EXPECT_EQ(value("cdp.wait + dtbl.wait"), 50);
  EXPECT_EQ(value("dtbl.wait + cdp.wait"), 50);
  EXPECT_EQ(value("(cdp.wait + dtbl.wait) / (a + dtbl.started)"), 25);
  EXPECT_EQ(value("cdp.wait - dtbl.wait"), 50);
  EXPECT_EQ(value("dtbl.wait - cdp.wait"), -50);
}

TEST(Formula, HasNoValueWithoutItsNumbers) {
  EXPECT_EQ(value("dtbl.wait"), std::nullopt);
  EXPECT_EQ(value("dtbl.wait + dtbl.started"), std::nullopt);
  EXPECT_EQ(value("a / dtbl.started"), std::nullopt);
  EXPECT_EQ(value("a + b / dtbl.started"), std::nullopt);
  EXPECT_EQ(value("a + dtbl.wait * b"), std::nullopt);
}

TEST(Formula, HasNoValueWhereSomethingIsDividedByZero) {
  EXPECT_EQ(value("a / zero"), std::nullopt);
  EXPECT_EQ(value("c + a / (a - a)"), std::nullopt);
}

TEST(Formula, NamesItsPaths) {
  EXPECT_EQ(Formula("(x.y+a)/x.z").paths(), (std::vector<std::string>{"x.y", "a", "x.z"}));
}

TEST(Formula, ComplaintsSayWhereAndWhatIsMissing) {
  EXPECT_EQ(complaint(""), "in '', the path of a statistic is missing at its end");
  EXPECT_EQ(complaint("a +"), "in 'a +', the path of a statistic is missing at its end");
  EXPECT_EQ(complaint("a / / b"), "in 'a / / b', the path of a statistic is missing before '/ b'");
  EXPECT_EQ(complaint("a b"), "in 'a b', an operator is missing before 'b'");
  EXPECT_EQ(complaint("(a + b"), "in '(a + b', ')' is missing at its end");
  EXPECT_EQ(complaint("a) / b"), "in 'a) / b', an operator is missing before ') / b'");
}

}  // namespace
}  // namespace raddle::experiment
