#include "report/statistics_document.h"

#include <gmock/gmock-matchers.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/statistics_table.h"

namespace raddle::report {
namespace {

using testing::HasSubstr;

const std::string kWhole = R"({"version": 1, "program": "p", "gpu": "g", "core_mhz": 700,
 "functional": false, "mechanisms": [],
 "kernel_sums": [{"name": "k", "launches": 1, "cycles": 5, "warp_instructions": 6,
   "thread_instructions": 7, "completed": true, "overlapped": 0, "statistics": {"cycles": 5}}],
 "kernels": [{"name": "k", "overlapped": false, "statistics": {"cycles": 5}}],
 "totals": {"cycles": 5}, "units": {"sm": [{"l1": {"hits": 3}}]}, "merged": {"sm": {"l1": {"hits": 3}}},
 "host": {"wall_seconds": 1}, "run": {"command": "raddle run p", "ended": "exit", "settings": {}}})";

/// What is wrong with the document in which `now` stands for `before`; "" for nothing.
std::string wrong(const std::string& before, const std::string& now) {
  std::string text = kWhole;
  text.replace(text.find(before), before.size(), now);
  try {
    statistics_document(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(StatisticsDocument, IsTaken) { EXPECT_EQ(wrong("\"p\"", "\"p\""), ""); }

TEST(StatisticsDocument, DamageIsToldWithItsMember) {
  const std::vector<std::array<std::string, 3>> damages = {
      {"\"version\": 1", "\"version\": \"1\"", "version: should be a whole number"},
      {"\"functional\": false", "\"functional\": 0", "functional: should be true or false"},
      {"\"launches\": 1", "\"launches\": -1", "kernel_sums[0].launches: should be a whole number"},
      {"\"cycles\": 5, \"warp", "\"cycles\": -5, \"warp", "kernel_sums[0].cycles: should be"},
      {"\"name\": \"k\", \"overlapped\"", "\"overlapped\"", "kernels[0].name: should be there"},
      {"\"overlapped\": false", "\"overlapped\": 3", "kernels[0].overlapped: should be true"},
      {"{\"hits\": 3}}]", "{\"hits\": -3}}]", "units.sm.0.l1.hits: should be 0 or more"},
      {"\"merged\": {\"sm\": {\"l1\": {\"hits\": 3}}}", "\"merged\": {\"sm\": \"x\"}",
       "merged.sm: should be a number or null"},
      {"\"merged\": {\"sm\"", "\"merged\": {\"sm\": 1, \"sm\"", "merged.sm: it is there twice"},
      {"\"totals\": {\"cycles\": 5}", "\"totals\": {\"cycles\": null}", "totals.cycles: should be"},
      {"\"run\": {\"command\": \"raddle run p\"", "\"run\": {\"command\": 3",
       "run.command: should be"},
      {"\"host\": {", "\"host\": 3, \"x\": {", "host: should be an object"},
  };
  for (const auto& [before, now, message] : damages) {
    EXPECT_THAT(wrong(before, now), HasSubstr(message)) << now;
  }
}

TEST(StatisticsDocument, SaysFromWhereOnItIsNone) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      statistics_document(text);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(message(""), HasSubstr("it is empty"));
  EXPECT_THAT(message(" \n"), HasSubstr("it is empty"));
  EXPECT_THAT(message("nonsense"), HasSubstr("no JSON at byte 2 of 8"));
  EXPECT_THAT(message(kWhole.substr(0, 100)), HasSubstr("cut off after 100 bytes"));
  EXPECT_THAT(message("[1]"), HasSubstr("no JSON object"));
  EXPECT_THAT(message("{\"a\": 1}"), HasSubstr("no member totals"));
}

TEST(StatisticsDocument, NoCutIsTaken) {
  for (std::size_t i = 0; i < kWhole.size(); ++i) {
    EXPECT_THROW(statistics_document(kWhole.substr(0, i)), Error) << i;
  }
}

TEST(StatisticsTable, SaysWhichMemberALaunchLacks) {
  std::string text = kWhole;
  text.replace(text.find("\"overlapped\": 0, "), 17, "");
  try {
    statistics_table(text, {.of = StatisticsView::Of::kernels});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("kernel_sums[0].overlapped: should be there"));
  }
}

}  // namespace
}  // namespace raddle::report
