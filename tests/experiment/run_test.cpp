#include "experiment/run.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {
namespace fs = std::filesystem;

/// A house of its own: a workload with a header, a bundled input, a program that is none of the tree's.
class Runs : public testing::Test {
 protected:
  Runs() {
    fs::remove_all(folder_);
    for (const char* part : {"data/graphs", "programs", "workloads/bfs", "workloads/common"}) {
      fs::create_directories(folder_ / part);
    }
    write("programs/bfs", "what a compiler made");
    write("programs/mine", "program");
    write("workloads/bfs/workload.toml", "");
    write("workloads/bfs/bfs.cu", "#include \"common/graph.h\"\nint x; // first\n");
    write("workloads/common/graph.h", "#pragma once\nint graph();");
    write("workloads/common/graph.cpp",
          "#include \"common/graph.h\"\nauto file = \"graphs/default.gr\";");
    write("workloads/common/image.cpp", "int image();");
    write("data/graphs/default.gr", "a graph");
    write("data/graphs/named.gr", "another graph");
    write("mine.gr", "my graph");
    experiment_.programs = {{"p", "bfs", {{"small", {}}}}};
    experiment_.variants = {{"v", {}, {}, {}, "k20c"}};
    behaviour_.units = {{"host", "", 0, 999, "", "", {}, 1},
                        {"volta", "", 70, 999, "", "", {}, 1},
                        {"dtbl", "", 0, 999, "dtbl", "", {}, 1},
                        {"lanes", "", 0, 999, "", "scheduler.divergence", {"stack"}, 1}};
  }
  ~Runs() override { fs::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
  }
  std::string mine() const { return (folder_ / "mine.gr").string(); }
  std::vector<experiment::Run> runs() const {
    return make_runs(experiment_, "small", {"tool", folder_, folder_ / "programs"}, behaviour_);
  }
  RunIdentity key() const { return runs().at(0).identity; }
  /// Whether another content of the file is another run.
  bool depends_on(const std::string& file, const std::string& text = "something else") {
    const RunIdentity before = key();
    EXPECT_EQ(before, key());
    write(file, text);
    return key() != before;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("runs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Experiment experiment_;
  Behaviour behaviour_;
};

TEST_F(Runs, AreKnownByTheSourcesOfAWorkload) {
  EXPECT_TRUE(depends_on("workloads/common/graph.cpp"));
  EXPECT_TRUE(depends_on("workloads/common/graph.h"));
  EXPECT_TRUE(depends_on("workloads/bfs/bfs.cu"));
}

TEST_F(Runs, DoNotDependOnWhatACompilerMade) { EXPECT_FALSE(depends_on("programs/bfs")); }

TEST_F(Runs, DoNotDependOnSourcesThatTheWorkloadDoesNotUse) {
  EXPECT_FALSE(depends_on("workloads/common/image.cpp"));
}

TEST_F(Runs, DoNotDependOnComments) {
  EXPECT_FALSE(depends_on("workloads/bfs/bfs.cu",
                          "#include \"common/graph.h\"\nint /* one */ x;\n\n// second\n"));
}

TEST_F(Runs, AreKnownByTheContentOfOtherPrograms) {
  experiment_.programs[0].workload = (folder_ / "programs/mine").string();
  EXPECT_TRUE(depends_on("programs/mine"));
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

TEST_F(Runs, AreKnownByBundledInputs) {
  EXPECT_FALSE(depends_on("data/graphs/named.gr"));
  experiment_.programs[0].arguments["small"] = {"--input", "graphs/named.gr"};
  EXPECT_TRUE(depends_on("data/graphs/named.gr", "yet another"));
}

TEST_F(Runs, AreKnownByInputsThatTheProgramOpensUntold) {
  EXPECT_TRUE(depends_on("data/graphs/default.gr"));
}

TEST_F(Runs, AreKnownByTheBehaviourOfTheUnitsThatTheyUse) {
  const auto depends_on_unit = [&](std::size_t unit) {
    const RunIdentity before = key();
    ++behaviour_.units[unit].version;
    return key() != before;
  };
  EXPECT_TRUE(depends_on_unit(0));   // host
  EXPECT_FALSE(depends_on_unit(1));  // volta
  EXPECT_FALSE(depends_on_unit(2));  // dtbl
  EXPECT_FALSE(depends_on_unit(3));  // lanes
  experiment_.variants[0].mechanisms = {"dtbl"};
  EXPECT_TRUE(depends_on_unit(2));
  experiment_.variants[0].settings = {{"scheduler.divergence=dual_path", {}}};
  EXPECT_TRUE(depends_on_unit(3));
  experiment_.variants[0].gpu = "v100";
  EXPECT_TRUE(depends_on_unit(1));
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
  const RunIdentity one = key();
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
