// Tables for people: how they show time, and that they fit a line.
#include <gmock/gmock-matchers.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/compare.h"
#include "report/profile.h"
#include "report/run_report.h"

namespace raddle::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kMost = 999'999'999'999;  // a day of simulation has fewer cycles

/// A run with long names and large numbers.
Json document(double mhz) {
  std::string name =
      "ns::outer::multiply_with_a_long_name<ns::Half, ns::Tile<32, 8>, ns::RowMajor>";
  Json json{{"gpu", "Tesla V100-SXM2-16GB"}, {"core_mhz", mhz}, {"functional", false}};
  json["kernel_sums"] = Json::array({{{"name", name},
                                      {"launches", 1000000},
                                      {"time_us", kMost / mhz},
                                      {"cycles", kMost},
                                      {"warp_instructions", kMost},
                                      {"thread_instructions", kMost},
                                      {"completed", false}}});
  json["totals"] = {{"time_us", kMost / mhz},  {"program_time_us", 2 * kMost / mhz},
                    {"cycles", kMost},         {"warp_instructions", kMost},
                    {"l1_hits", kMost},        {"l1_misses", kMost},
                    {"read_only_hits", kMost}, {"read_only_misses", 3}};
  json["units"] = {{"sm", {{"slots", {{"a_statistic_with_a_very_long_name_indeed", mhz}}}}}};
  json["host"] = {{"wall_seconds", 86400.0}, {"peak_rss_bytes", 1e11}};
  return json;
}

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Table, FitsEightyColumns) {
  EXPECT_LE(longest_line(table(document(1000).dump(), false)), 80u);
  Json functional = document(1000);
  functional["functional"] = true;
  EXPECT_LE(longest_line(table(functional.dump(), false)), 80u);
}

TEST(Table, TellsSimulatedTime) {
  Json json = document(1000);
  json["totals"]["time_us"] = 1234.56;
  EXPECT_THAT(table(json.dump(), false), HasSubstr(" 1,234.6 us "));
}

// Profilers count a load of a sector that is on its way as a hit.
TEST(Table, WhatIsOnItsWayIsAHit) {
  Json json = document(1000);
  json["totals"]["l1_hits"] = 2;
  json["totals"]["l1_misses"] = 6;
  json["totals"]["l1_merged"] = 4;
  EXPECT_THAT(table(json.dump(), false), HasSubstr("75.0 %  6 hits, 2 misses"));
}

TEST(Table, AFunctionalRunHasNoTime) {
  Json json = document(1000);
  json["functional"] = true;
  EXPECT_THAT(table(json.dump(), false), Not(HasSubstr("us")));
}

TEST(Table, ComparisonsFitEightyColumns) {
  std::vector<LabelledRun> runs;
  for (int i = 1; i <= 5; ++i) {
    runs.push_back({"scheduler.policy=lrr,l1.latency=60", document(500.0 * i).dump()});
    if (i == 1) continue;
    EXPECT_LE(longest_line(comparison_table(runs, Shown::all, false)), 80u) << i;
  }
}

TEST(Table, ComparisonsShowEachRunOnce) {
  const std::vector<LabelledRun> runs{{"first", document(500).dump()},
                                      {"second", document(600).dump()},
                                      {"third", document(700).dump()}};
  for (const std::size_t width : {80u, 200u}) {
    const std::string text = comparison_table(runs, Shown::totals, false, width);
    for (const char* label : {"first", "second", "third"}) {
      EXPECT_EQ(text.find(label), text.rfind(label)) << label;
      EXPECT_NE(text.find(label), text.npos) << label;
    }
  }
}

// Half the clock and the same cycles is twice the time: what a comparison must lead with.
TEST(Table, ComparisonsOfDifferentClocksLeadWithTime) {
  const auto values = compare({{"a", document(1000).dump()}, {"b", document(500).dump()}});
  EXPECT_EQ(values.front().name, "totals.time_us");
  EXPECT_DOUBLE_EQ(values.front().values[1] / values.front().values[0], 2);
}

TEST(Table, ProfilesFitEightyColumns) {
  const Json line{{"file", "/a/long/path/to/the/sources/of/kernels_of_the_program.cu"},
                  {"line", 12345},
                  {"text", std::string(120, 'x')},
                  {"cycles", 100.0},
                  {"warp_instructions", 10.0},
                  {"thread_instructions", 320.0},
                  {"slots", {{"issued", 10}, {"no_instruction", 45}, {"unit_busy", 45}}}};
  const Json json{{"gpu", "Tesla V100"},
                  {"functional", false},
                  {"time_us", 1.5},
                  {"totals", {{"cycles", 100.0}, {"warp_instructions", 10.0}}},
                  {"lines", Json::array({line})}};
  const std::string text = profile_table(json.dump(), 20, false);
  EXPECT_LE(longest_line(text), 80u);
  EXPECT_THAT(text, HasSubstr("Hottest lines of 1.50 us on Tesla V100"));
}

}  // namespace
}  // namespace raddle::report
