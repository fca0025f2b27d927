#include "experiment/sweep.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {
namespace fs = std::filesystem;

/// Stands in for the tool: "run --quiet --stats FILE NAME" appends NAME to a list of what ran, and
/// writes statistics; NAME "fails" fails, NAME "sleeps" does not end.
class Sweeps : public testing::Test {
 protected:
  Sweeps() : folder_(testing::TempDir() + "sweep_" + name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const std::string tool = folder_ + "/tool";
    std::ofstream(tool) << "#!/bin/sh\necho \"$7\" >> " << folder_ << "/ran\n"
                        << "case $7 in fails) echo no luck >&2; exit 3;; sleeps) sleep 60;; esac\n"
                        << "echo '{}' > \"$4\"\n";
    fs::permissions(tool, fs::perms::owner_all);
    place_.tool = tool;
  }
  ~Sweeps() override { fs::remove_all(folder_); }

  static std::string name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  static RunIdentity identity(const std::string& word) { return {"key " + word, "", ""}; }
  experiment::Run run(const std::string& word) {
    return {&program_, &variant_, "small", identity(word), {word}};
  }
  std::vector<StoredRun> go(const std::vector<experiment::Run>& runs, SweepOptions options = {}) {
    Store store(folder_ + "/results.sqlite");
    return sweep(runs, place_, &store, options,
                 [this](const SweepProgress& progress) { last_ = progress; });
  }
  /// How many runs were started in all.
  std::size_t started() const {
    std::ifstream in(folder_ + "/ran");
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    return lines;
  }

  std::string folder_;
  Place place_;
  Program program_{"p", "p", {}};
  Variant variant_{"v", {}, {}, {}, ""};
  SweepProgress last_;
};

TEST_F(Sweeps, RunsEverythingAndKeepsTheOrder) {
  const auto records = go({run("a"), run("b"), run("c")}, {2, 0});
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].identity, identity("b"));
  EXPECT_EQ(records[1].exit_code, 0);
  EXPECT_EQ(records[1].statistics, "{}\n");
  EXPECT_EQ(started(), 3u);
}

TEST_F(Sweeps, NothingRunsTwice) {
  go({run("a")});
  go({run("a"), run("b")});
  EXPECT_EQ(started(), 2u);
  EXPECT_EQ(last_.known, 1u);
}

TEST_F(Sweeps, AResultCarriesTheNamesOfTheRunThatAsksForIt) {
  go({run("a")});
  const Program renamed_program{"q", "p", {}};
  const Variant renamed_variant{"w", {}, {}, {}, ""};
  experiment::Run renamed = run("a");
  renamed.program = &renamed_program;
  renamed.variant = &renamed_variant;
  renamed.scale = "full";
  const auto records = go({renamed});
  EXPECT_EQ(started(), 1u);
  EXPECT_EQ(records.at(0).program, "q");
  EXPECT_EQ(records.at(0).variant, "w");
  EXPECT_EQ(records.at(0).scale, "full");
}

TEST_F(Sweeps, RunsOfOneKeyRunOnceAndAreAllAnswered) {
  const Variant other{"other", {}, {}, {}, ""};
  experiment::Run same = run("a");
  same.variant = &other;
  const auto records = go({run("a"), run("b"), same});
  EXPECT_EQ(started(), 2u);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].variant, "v");
  EXPECT_EQ(records[2].variant, "other");
  EXPECT_EQ(records[2].statistics, "{}\n");
}

TEST_F(Sweeps, AFailureIsTriedAgainAndDoesNotStopTheOthers) {
  const auto records = go({run("fails"), run("a")});
  EXPECT_EQ(records[0].exit_code, 3);
  EXPECT_EQ(records[0].output, "no luck\n");
  EXPECT_EQ(records[1].exit_code, 0);
  go({run("fails"), run("a")});
  EXPECT_EQ(started(), 3u);
}

TEST_F(Sweeps, ARunOverItsTimeIsEnded) {
  const auto records = go({run("sleeps")}, {1, 0.2});
  EXPECT_NE(records[0].exit_code, 0);
  EXPECT_NE(records[0].output.find("time limit"), std::string::npos);
}

TEST_F(Sweeps, MayStopAtAFailure) {
  const auto records = sweep({run("sleeps"), run("fails"), run("a")}, place_, nullptr, {2, 0, true},
                             [](const SweepProgress&) {});
  EXPECT_EQ(records.at(1).exit_code, 3);
  EXPECT_EQ(records.at(0).statistics, "");
  EXPECT_EQ(records.at(2).statistics, "");
  EXPECT_EQ(started(), 2u);
}

TEST_F(Sweeps, WithoutAStoreNothingIsKept) {
  for (int i = 0; i < 2; ++i) {
    const auto records = sweep({run("a")}, place_, nullptr, {}, [](const SweepProgress&) {});
    EXPECT_EQ(records.at(0).statistics, "{}\n");
  }
  EXPECT_EQ(started(), 2u);
}

TEST_F(Sweeps, APlanSaysWhatWouldRunAndHowLong) {
  Store store(folder_ + "/plan.sqlite");
  store.keep({identity("stored"), "p", "v", "small", "", 0, 4, "{}", ""});
  const Program other{"q", "p", {}};
  experiment::Run untimed = run("untimed");
  untimed.program = &other;
  const auto plan =
      plan_sweep({run("stored"), run("a"), run("b"), run("b"), run("c"), untimed}, store, 2);
  EXPECT_EQ(plan.total, 5u);
  EXPECT_EQ(plan.stored, 1u);
  EXPECT_EQ(plan.untimed, 1u);
  EXPECT_EQ(plan.seconds, 8);  // four runs of 4 s, two at a time
  EXPECT_EQ(started(), 0u);
}

TEST_F(Sweeps, ARunCarriesWhoMadeIt) {
  SweepOptions options;
  options.maker = {"0123", "a processor", "2026-01-31"};
  EXPECT_EQ(go({run("a")}, options).at(0).maker, options.maker);
  EXPECT_EQ(go({run("a")}).at(0).maker, options.maker);  // from the store
}

TEST_F(Sweeps, AnInterruptKeepsWhatHasEnded) {
  Store store(folder_ + "/results.sqlite");
  const std::vector<experiment::Run> runs = {run("a"), run("sleeps")};
  EXPECT_THROW(sweep(runs, place_, &store, {1, 0},
                     [](const SweepProgress& progress) {
                       if (progress.ended == 1) std::raise(SIGINT);
                     }),
               Error);
  EXPECT_TRUE(store.find(identity("a")).has_value());
}

}  // namespace
}  // namespace raddle::experiment
