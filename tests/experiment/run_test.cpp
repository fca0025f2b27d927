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

TEST_F(Runs, DoNotDependOnFilesThatNobodyNames) { EXPECT_FALSE(depends_on("mine.gr")); }

TEST_F(Runs, AreToldApartByWhereTheirWordsEnd) {
  experiment_.programs[0].arguments["small"] = {"a b"};
  const std::string one = key();
  experiment_.programs[0].arguments["small"] = {"a", "b"};
  EXPECT_TRUE(key() != one);
}

}  // namespace
}  // namespace raddle::experiment
