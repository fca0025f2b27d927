#include "report/compare.h"

#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <map>
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

constexpr const char* kMerged = R"({
  "kernel_sums": [{"name": "_Z3addPi", "launches": 1, "cycles": 100, "warp_instructions": 7,
                   "thread_instructions": 9, "statistics": {"cycles": 3, "sm": {"peak": 6}}}],
  "totals": {}, "units": {"sm": [{"peak": 4}, {"peak": 6}]},
  "merged": {"sm": {"peak": 6, "rate": null, "change": -0.5}}})";

TEST(Compare, TakesMergedUnitsWhereThereAreAny) {
  std::map<std::string, std::vector<double>> values;
  for (const ComparedValue& value : compare({{"a", kMerged}, {"b", kMerged}})) {
    values[value.name] = value.values;
  }
  EXPECT_EQ(values["units.sm.peak"], (std::vector<double>{6, 6}));
  EXPECT_EQ(values["units.sm.change"], (std::vector<double>{-0.5, -0.5}));
  EXPECT_EQ(values.count("units.sm.rate"), 0u);
  EXPECT_EQ(values.count("kernels.add.sm.peak"), 0u);
}

TEST(Compare, KernelsHaveAllTheirStatisticsOnRequest) {
  const std::vector<LabelledRun> both = {{"a", kMerged}, {"b", kMerged}};
  EXPECT_THAT(comparison_table(both, Shown::all, false, 80, Kernels::statistics),
              HasSubstr("kernels.add.sm.peak"));
  EXPECT_THAT(comparison_json(both, Shown::all, Kernels::statistics),
              HasSubstr("kernels.add.sm.peak"));
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

/// Every place in a document: itself, its members, theirs.
void add_places(const nlohmann::json& json, const nlohmann::json::json_pointer& at,
                std::vector<nlohmann::json::json_pointer>& places) {
  places.push_back(at);
  if (json.is_object()) {
    for (const auto& [name, child] : json.items()) add_places(child, at / name, places);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) add_places(json[i], at / i, places);
  }
}

/// The document with each place removed, or replaced by something else.
std::vector<std::string> damaged(const std::string& document) {
  const auto whole = nlohmann::json::parse(document);
  std::vector<nlohmann::json::json_pointer> places;
  add_places(whole, nlohmann::json::json_pointer(""), places);
  nlohmann::json deep = 1;
  for (int i = 0; i < 2000; ++i) deep = nlohmann::json::array({deep});
  const std::vector<nlohmann::json> instead = {nullptr,
                                               true,
                                               "text",
                                               -1,
                                               1e308,
                                               nlohmann::json::array(),
                                               nlohmann::json::object(),
                                               {1, "2"},
                                               {{"a", nullptr}},
                                               {{"a", {{"b", -3}}}},
                                               deep};
  std::vector<std::string> texts;
  for (const auto& place : places) {
    for (const nlohmann::json& value : instead) {
      nlohmann::json other = whole;
      other[place] = value;
      texts.push_back(other.dump());
    }
    if (place.empty()) continue;
    nlohmann::json shorter = whole;
    const auto parent = place.parent_pointer();
    if (shorter[parent].is_object()) shorter[parent].erase(place.back());
    texts.push_back(shorter.dump());
  }
  for (std::size_t i = 0; i < document.size(); ++i) texts.push_back(document.substr(0, i));
  texts.push_back(std::string(200000, '['));
  texts.push_back(R"({"totals": {"a": 1e999}, "units": {}, "kernels": []})");
  return texts;
}

TEST(Compare, DamagedDocumentsAreToldWithTheirNameAndPlace) {
  std::size_t refused = 0;
  for (const std::string& text : damaged(kFirst)) {
    try {
      const std::vector<LabelledRun> both = {{"good", kSecond}, {"bad.json", text}};
      comparison_table(both, Shown::all, false);
      comparison_json(both, Shown::all);
    } catch (const Error& error) {
      ++refused;
      EXPECT_THAT(error.what(), HasSubstr("bad.json: ")) << text.substr(0, 300);
    }
  }
  EXPECT_GT(refused, 500u);
}

TEST(Compare, NamesWhatIsWrong) {
  const std::string text =
      R"({"totals": {"cycles": "many"}, "units": {}, "kernels": [{"name": "k"}]})";
  try {
    compare({{"a.json", text}, {"b", kSecond}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.json: totals.cycles: should be a number"));
  }
}

}  // namespace
}  // namespace raddle::report
