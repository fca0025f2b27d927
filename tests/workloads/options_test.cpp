#include "common/options.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace raddle::workloads {
namespace {

struct Line : testing::Test {
  std::string text = "default";
  std::string choice = "a";
  std::int64_t number = 5;
  bool flag = false;

  bool parse(std::initializer_list<const char*> arguments) {
    Options options("program", "does things");
    options.add("--text", &text, "text");
    options.add("--number", &number, 1, 10, "number");
    options.add_choice("--choice", &choice, {"a", "b"}, "choice");
    options.add_flag("--flag", &flag, "flag");
    std::vector<const char*> argv = {"program"};
    argv.insert(argv.end(), arguments);
    return options.parse(static_cast<int>(argv.size()), argv.data());
  }
  std::string error(std::initializer_list<const char*> arguments) {
    try {
      parse(arguments);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Line, DefaultsStay) {
  EXPECT_TRUE(parse({}));
  EXPECT_EQ(text, "default");
  EXPECT_EQ(number, 5);
}

TEST_F(Line, ValuesFollowOrAreJoinedByEquals) {
  EXPECT_TRUE(parse({"--text", "x", "--number=7", "--choice", "b", "--flag"}));
  EXPECT_EQ(text, "x");
  EXPECT_EQ(number, 7);
  EXPECT_EQ(choice, "b");
  EXPECT_TRUE(flag);
}

TEST_F(Line, HelpAsksForNoRun) { EXPECT_FALSE(parse({"--help"})); }
TEST_F(Line, UnknownOption) { EXPECT_EQ(error({"--nope"}), "unknown option '--nope'"); }
TEST_F(Line, StrayWord) { EXPECT_EQ(error({"word"}), "unknown option 'word'"); }
TEST_F(Line, ValueMissing) { EXPECT_EQ(error({"--text"}), "--text needs a value"); }
TEST_F(Line, FlagWithValue) { EXPECT_EQ(error({"--flag=1"}), "--flag takes no value"); }
TEST_F(Line, NumberOutOfRange) {
  EXPECT_EQ(error({"--number", "11"}), "--number takes a whole number from 1 to 10, not '11'");
}
TEST_F(Line, NumberWithRest) {
  EXPECT_EQ(error({"--number", "3x"}), "--number takes a whole number from 1 to 10, not '3x'");
}
TEST_F(Line, UnknownChoice) {
  EXPECT_EQ(error({"--choice", "c"}), "--choice takes one of a|b, not 'c'");
}

}  // namespace
}  // namespace raddle::workloads
