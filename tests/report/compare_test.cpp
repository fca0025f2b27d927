#include "report/compare.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace raddle::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kFirst = R"({
  "kernels": [{"name": "_Z3addPi", "cycles": 100, "warp_instructions": 7, "thread_instructions": 9},
              {"name": "_Z3addPi", "cycles": 200, "warp_instructions": 7, "thread_instructions": 9}],
  "totals": {"cycles": 300, "ipc": 0.5},
  "units": {"sm": [{"blocks": 3, "l1": {"hits": 10}}, {"blocks": 4, "l1": {"hits": 30}}]},
  "host": {"wall_seconds": 1.0}})";
constexpr const char* kSecond = R"({
  "kernels": [{"name": "_Z3addPi", "cycles": 600, "warp_instructions": 7, "thread_instructions": 9},
              {"name": "_Z3addPi", "cycles": 600, "warp_instructions": 7, "thread_instructions": 9}],
  "totals": {"cycles": 1200, "ipc": 0.25},
  "units": {"sm": {"blocks": 7, "l1": {"hits": 400}}},
  "host": {"wall_seconds": 2.0}})";

std::vector<LabelledRun> runs() { return {{"a", kFirst}, {"b", kSecond}}; }

std::vector<double> values(const std::string& name) {
  for (const ComparedValue& value : compare(runs())) {
    if (value.name == name) return value.values;
  }
  return {};
}

TEST(Compare, AddsUpUnitsAndLaunches) {
  EXPECT_EQ(values("units.sm.blocks"), (std::vector<double>{7, 7}));
  EXPECT_EQ(values("units.sm.l1.hits"), (std::vector<double>{40, 400}));
  EXPECT_EQ(values("kernels.add.cycles"), (std::vector<double>{300, 1200}));
  EXPECT_EQ(values("kernels.add.launches"), (std::vector<double>{2, 2}));
}

TEST(Compare, TotalsComeFirstAndThenTheLargestRatio) {
  std::vector<std::string> names;
  for (const ComparedValue& value : compare(runs())) {
    if (value.differs()) names.push_back(value.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"totals.cycles", "totals.ipc", "units.sm.l1.hits",
                                             "kernels.add.cycles"}));
}

TEST(Compare, TheTableHasRatiosToTheFirstRun) {
  const std::string text = comparison_table(runs(), Shown::differing, false);
  EXPECT_THAT(text, HasSubstr("40               400      10x"));
  EXPECT_THAT(text, HasSubstr("0.500x"));
  EXPECT_THAT(text, Not(HasSubstr("units.sm.blocks")));
  EXPECT_THAT(comparison_table(runs(), Shown::all, false), HasSubstr("units.sm.blocks"));
}

TEST(Compare, TotalsCanBeShownAlone) {
  const std::string text = comparison_table(runs(), Shown::totals, false);
  EXPECT_THAT(text, HasSubstr("totals.ipc"));
  EXPECT_THAT(text, Not(HasSubstr("units.")));
}

TEST(Compare, JsonHasTheSame) {
  const nlohmann::json json = nlohmann::json::parse(comparison_json(runs(), Shown::differing));
  EXPECT_EQ(json["runs"], (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(json["statistics"][0]["name"], "totals.cycles");
  EXPECT_EQ(json["statistics"][0]["ratios"], (std::vector<double>{1, 4}));
}

TEST(Compare, RefusesOtherFilesByName) {
  try {
    compare({{"x.json", "{}"}, {"b", kSecond}});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.json"));
  }
}

}  // namespace
}  // namespace raddle::report
