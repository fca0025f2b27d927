#include "base/config.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>

namespace raddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct CacheConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<std::uint32_t> latency{*this, "latency", 32, "cycles", {1, 1000}, "time of a hit", "paper"};
  Field<bool> sectored{*this, "sectored", true, "", {}, "lines have sectors"};
  TextField policy{*this, "policy", "lru", "lru|fifo", "replacement"};
};
struct RootConfig : ConfigGroup {
  RootConfig() : ConfigGroup("root") {}
  Field<double> clock{*this, "clock", 706.0, "MHz", {1.0, 5000.0}, "SM clock"};
  CacheConfig l1{*this, "l1"};
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Writes `text` to a file and reads it into `root`; what was thrown, else "".
std::string read(RootConfig& root, const std::string& text) {
  const std::string file = testing::TempDir() + "config_test.toml";
  std::ofstream(file) << text;
  std::string message = message_of([&] { read_toml(root, file); });
  std::remove(file.c_str());
  return message;
}

TEST(Config, SetsAFieldByItsPath) {
  RootConfig root;
  root.set("l1.latency", "40");
  EXPECT_EQ(root.l1.latency, 40u);
}

TEST(Config, RefusesAValueOutOfRangeAndTellsTheRange) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l1.latency", "0"); }), HasSubstr("1..1000"));
}

TEST(Config, RefusesANumberWithRubbishBehindIt) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l1.latency", "40x"); }), HasSubstr("l1.latency = 40x"));
}

TEST(Config, RefusesAWordThatIsNotAChoice) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l1.policy", "random"); }), HasSubstr("lru|fifo"));
}

TEST(Config, SuggestsNearNamesForAnUnknownField) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l1.latecny", "40"); }), HasSubstr("latency"));
}

TEST(Config, ListsTheUnitsFieldsWhereNoneIsNear) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l1.associativity", "4"); }),
              HasSubstr("there are: latency, sectored, policy"));
}

TEST(Config, SuggestsNearNamesForAnUnknownUnit) {
  RootConfig root;
  EXPECT_THAT(message_of([&] { root.set("l2.latency", "40"); }), HasSubstr("l1."));
}

TEST(Config, ReadsPlainAndSourcedValuesFromToml) {
  RootConfig root;
  ASSERT_EQ(read(root, "clock = 745.5\n[l1]\nlatency = { value = 35, source = \"guide 5.4\" }\n"),
            "");
  EXPECT_EQ(root.clock, 745.5);
  EXPECT_EQ(root.l1.latency, 35u);
  EXPECT_EQ(root.l1.latency.source(), "guide 5.4");
}

TEST(Config, NamesLineAndColumnOfAnUnknownKey) {
  RootConfig root;
  EXPECT_THAT(read(root, "clock = 1.0\n[l1]\n  latnecy = 5\n"), HasSubstr(":3:3: unknown setting"));
}

TEST(Config, NamesLineAndColumnOfAnImpossibleValue) {
  RootConfig root;
  EXPECT_THAT(read(root, "[l1]\nlatency = 5000\n"),
              HasSubstr(":2:11: l1.latency = 5000: out of range"));
}

TEST(Config, NamesLineAndColumnOfASyntaxError) {
  RootConfig root;
  EXPECT_THAT(read(root, "clock = = 3\n"), HasSubstr("config_test.toml:1:9"));
}

TEST(Config, NearNamesAreOrderedByDistance) {
  EXPECT_THAT(near_names("latncy", {"policy", "latency", "lat"}), ElementsAre("latency"));
}

}  // namespace
}  // namespace raddle
