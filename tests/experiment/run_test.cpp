#include "experiment/run.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {
namespace fs = std::filesystem;

/// A house of its own: a workload, a bundled input, a simulator.
class Runs : public testing::Test {
 protected:
  Runs() {
    fs::remove_all(folder_);
    for (const char* part : {"data/graphs", "programs"}) fs::create_directories(folder_ / part);
    write("programs/bfs", "program");
    write("data/graphs/default.gr", "a graph");
    write("simulator.so", "version 1");
    write("mine.gr", "my graph");
    experiment_.programs = {{"p", "bfs", {{"small", {}}}}};
    experiment_.variants = {{"v", {}, {}, {}, "k20c"}};
  }
  ~Runs() override { fs::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
  }
  std::string mine() const { return (folder_ / "mine.gr").string(); }
  std::vector<experiment::Run> runs() const {
    return make_runs(experiment_, "small",
                     {"tool", folder_ / "data", folder_ / "programs", folder_ / "simulator.so"});
  }
  std::string key() const { return runs().at(0).key; }
  /// Whether another content of the file is another run.
  bool depends_on(const std::string& file) {
    const std::string before = key();
    EXPECT_EQ(before, key());
    write(file, "something else");
    return key() != before;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("runs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Experiment experiment_;
};

TEST_F(Runs, AreKnownByProgramAndSimulator) {
  EXPECT_TRUE(depends_on("programs/bfs"));
  EXPECT_TRUE(depends_on("simulator.so"));
}

TEST_F(Runs, AreKnownByTheInputOfTheProgram) {
  experiment_.programs[0].arguments["small"] = {"--input", mine()};
  EXPECT_TRUE(depends_on("mine.gr"));
}

TEST_F(Runs, AreKnownByTheInputOfTheVariant) {
  experiment_.variants[0].arguments = {"--input", mine()};
  EXPECT_TRUE(depends_on("mine.gr"));
}

TEST_F(Runs, AreKnownByAnInputBehindAnEqualsSign) {
  experiment_.programs[0].arguments["small"] = {"--input=" + mine()};
  EXPECT_TRUE(depends_on("mine.gr"));
}

TEST_F(Runs, AreKnownByInputsThatTheProgramOpensUntold) {
  EXPECT_TRUE(depends_on("data/graphs/default.gr"));
}

TEST_F(Runs, AreThoseOfTheProgramsThatTheVariantNames) {
  experiment_.programs.push_back({"q", "bfs", {{"small", {}}}});
  EXPECT_EQ(runs().size(), 2u);
  experiment_.variants[0].programs = {"q"};
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs()[0].program->name, "q");
}

TEST_F(Runs, DoNotDependOnFilesThatNobodyNames) { EXPECT_FALSE(depends_on("mine.gr")); }

TEST_F(Runs, AreToldApartByWhereTheirWordsEnd) {
  experiment_.programs[0].arguments["small"] = {"a b"};
  const std::string one = key();
  experiment_.programs[0].arguments["small"] = {"a", "b"};
  EXPECT_TRUE(key() != one);
}

TEST_F(Runs, OfImpossibleVariantsAreRefusedWithTheirPlace) {
  auto complaint = [&](const Variant& variant) -> std::string {
    experiment_.variants = {variant};
    try {
      runs();
      return "none";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const SourcePosition place{"e.toml", 3, 1};
  const SourcePosition set{"e.toml", 5, 8};
  EXPECT_EQ(complaint({"v", {}, {}, {}, "k20c", place}), "none");
  EXPECT_EQ(complaint({"v", {}, {"no_such"}, {}, "k20c", place}).substr(0, 23),
            "e.toml:3:1: variant v: ");
  EXPECT_EQ(complaint({"v", {}, {}, {}, "no_such", place}).substr(0, 23),
            "e.toml:3:1: variant v: ");
  EXPECT_EQ(complaint({"v", {}, {}, {{"l1.latnecy=3", set}}, "k20c", place}).substr(0, 51),
            "e.toml:5:8: variant v: unknown setting 'l1.latnecy'");
  EXPECT_EQ(complaint({"v", {}, {}, {{"l1.latency", set}}, "k20c", place}),
            "e.toml:5:8: variant v: the setting 'l1.latency' should be unit.field=value");
  // Each of the two is possible, both are not.
  EXPECT_EQ(complaint({"v",
                       {},
                       {},
                       {{"sm.threads_per_block=512", set}, {"sm.threads=256", set}},
                       "k20c",
                       place})
                .substr(0, 23),
            "e.toml:3:1: variant v: ");
}

}  // namespace
}  // namespace raddle::experiment
