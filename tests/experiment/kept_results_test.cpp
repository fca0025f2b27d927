#include "experiment/kept_results.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {

class Kept : public testing::Test {
 protected:
  Kept() {
    std::filesystem::remove(file_);
    experiment_.name = "e";
  }

  static RunIdentity identity(const std::string& program, const std::string& settings) {
    return {program, settings, "host 1"};
  }
  static StoredRun run(const std::string& program, const std::string& settings, double cycles) {
    StoredRun run;
    run.identity = identity(program, settings);
    run.program = program;
    run.variant = "v";
    run.scale = "small";
    run.seconds = 1.5;
    run.maker = {"0123", "a processor", "2026-01-31"};
    run.statistics = R"({"totals": {"cycles": )" + std::to_string(cycles) +
                     R"(, "other": 7}, "units": {"level": {"samples": {"0": 1, "1": 2}}}})";
    return run;
  }
  void write(const std::vector<StoredRun>& runs, const std::set<std::string>& paths) {
    const std::string text = kept_text(experiment_, runs, KeptResults(file_), paths);
    std::ofstream(file_) << text;
  }

  const std::string file_ = testing::TempDir() + "kept_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  Experiment experiment_;
};

TEST_F(Kept, RunsAreFoundWithTheNumbersThatWereWantedAndTheirMaker) {
  write({run("p", "a=1\nb=1\n", 10), run("p", "a=1\n*b=2\n", 20), run("q", "a=1\n*b=2\n", 30)},
        {"totals.cycles"});
  const KeptResults kept(file_);
  const auto found = kept.find(identity("p", "a=1\n*b=2\n"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found->numbers, (std::map<std::string, double>{{"totals.cycles", 20}}));
  EXPECT_EQ(found->maker.commit, "0123");
  EXPECT_EQ(found->seconds, 1.5);
  EXPECT_EQ(found->identity.settings, "a=1\n*b=2\n");
  EXPECT_FALSE(kept.find(identity("p", "a=1\n*b=3\n")).has_value());
  EXPECT_FALSE(kept.find({"p", "a=1\nb=1\n", "host 2"}).has_value());
}

TEST_F(Kept, OfATimelineAllSamplesAreKept) {
  write({run("p", "", 10)}, {"units.level.*"});
  const KeptResults kept(file_);
  const auto found = kept.find(identity("p", ""));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->numbers->at("units.level.samples.1"), 2);
}

TEST_F(Kept, RunsWithoutANumberThatIsRequiredAreNotFound) {
  write({run("p", "", 10)}, {"totals.cycles"});
  KeptResults kept(file_);
  kept.require({"totals.cycles", "totals.other"});
  EXPECT_FALSE(kept.find(identity("p", "")).has_value());
  EXPECT_EQ(kept.missing({"totals.cycles", "totals.other"}), std::set<std::string>{"totals.other"});
}

TEST_F(Kept, OtherScalesStay) {
  write({run("p", "", 10)}, {"totals.cycles"});
  StoredRun large = run("q", "", 20);
  large.scale = "large";
  write({large}, {"totals.cycles"});
  const KeptResults kept(file_);
  EXPECT_TRUE(kept.find(identity("p", "")).has_value());
  EXPECT_TRUE(kept.find(identity("q", "")).has_value());
  EXPECT_EQ(kept.seconds_of("p", "v", "small"), 1.5);
  EXPECT_FALSE(kept.seconds_of("p", "v", "large").has_value());
}

TEST_F(Kept, ARunThatFailedIsRefused) {
  StoredRun failed = run("p", "", 10);
  failed.exit_code = 1;
  EXPECT_THROW(write({failed}, {}), Error);
}

TEST_F(Kept, AStoreLooksThereForWhatItHasNot) {
  write({run("p", "", 10)}, {"totals.cycles"});
  const KeptResults kept(file_);
  std::filesystem::remove(file_ + ".sqlite");
  const Store store(file_ + ".sqlite", &kept);
  EXPECT_TRUE(store.find(identity("p", "")).has_value());
  EXPECT_EQ(store.seconds_before("p", "v", "small"), 1.5);
}

TEST_F(Kept, ADamagedFileIsNamed) {
  for (const char* text :
       {"{", "{}", R"({"paths": [], "statistics": [], "makers": [], "machines": [],
       "runs": [{"identity": "", "behaviour": "", "program": "", "variant": "", "scale": "",
       "command": "", "seconds": 1, "maker": 3, "machine": 2, "numbers": []}]})"}) {
    std::ofstream(file_) << text;
    try {
      const KeptResults kept(file_);
      FAIL() << "was taken: " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(file_), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace raddle::experiment
