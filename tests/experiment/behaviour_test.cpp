#include "experiment/behaviour.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {

constexpr const char* kDescribed = R"(
statistics = ["totals.cycles", "totals.warp_instructions"]
[[unit]]
name = "host"
what = "all"
[[unit]]
name = "memory"
what = "all"
[[canary]]
name = "copies"
unit = "host"
workload = "vecadd"
gpu = "k20c"
[[canary]]
name = "loads"
unit = "memory"
workload = "bfs"
gpu = "k20c"
)";

class Behaviours : public testing::Test {
 protected:
  Behaviours() {
    std::ofstream(described_) << kDescribed;
    std::filesystem::remove(recorded_);
  }

  Behaviour read() const { return read_behaviour(described_, recorded_); }
  /// A behaviour whose canaries were recorded with 1000 cycles and 500 instructions.
  Behaviour recorded() const {
    Behaviour behaviour = read();
    raise(behaviour, moves(behaviour, runs(1000, 1000)), "0123", "2026-01-31");
    return behaviour;
  }
  static StoredRun run(const std::string& canary, double cycles) {
    StoredRun run;
    run.program = run.variant = canary;
    run.numbers = {{"totals.cycles", cycles}, {"totals.warp_instructions", 500}};
    return run;
  }
  static std::vector<StoredRun> runs(double copies, double loads) {
    return {run("copies", copies), run("loads", loads)};
  }
  static unsigned version(const Behaviour& behaviour, std::size_t unit) {
    return behaviour.units.at(unit).version;
  }

  const std::string folder_ = testing::TempDir() + "behaviour_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string described_ = folder_ + ".toml", recorded_ = folder_ + ".json";
};

TEST_F(Behaviours, WithoutARecordNothingIsKnown) {
  const Behaviour behaviour = read();
  const auto all = moves(behaviour, runs(1000, 1000));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0].known());
  EXPECT_TRUE(moved_units(all).empty());
}

TEST_F(Behaviours, TwoPercentAreNoOtherBehaviour) {
  const Behaviour behaviour = recorded();
  EXPECT_TRUE(moved_units(moves(behaviour, runs(1020, 980))).empty());
  EXPECT_EQ(moved_units(moves(behaviour, runs(1021, 980))), std::vector<std::string>{"host"});
  EXPECT_EQ(moved_units(moves(behaviour, runs(1020, 979))), std::vector<std::string>{"memory"});
}

TEST_F(Behaviours, OnlyWhatMovedIsRaisedAndRecorded) {
  Behaviour behaviour = recorded();
  raise(behaviour, moves(behaviour, runs(1010, 2000)), "4567", "2026-02-01");
  EXPECT_EQ(version(behaviour, 0), 1u);
  EXPECT_EQ(version(behaviour, 1), 2u);
  // One percent and one percent more are two: the first did not count as new.
  EXPECT_EQ(behaviour.canaries[0].recorded->values.at("totals.cycles"), 1000);
  EXPECT_EQ(behaviour.canaries[1].recorded->values.at("totals.cycles"), 2000);
  EXPECT_EQ(behaviour.canaries[1].recorded->commit, "4567");
}

TEST_F(Behaviours, ARecordIsReadAsItWasWritten) {
  Behaviour behaviour = recorded();
  raise(behaviour, moves(behaviour, runs(1000, 2000)), "4567", "2026-02-01");
  std::ofstream(recorded_) << record_text(behaviour);
  EXPECT_EQ(record_text(read()), record_text(behaviour));
  EXPECT_EQ(version(read(), 1), 2u);
}

TEST_F(Behaviours, WhatWasZeroMovesWithTheFirst) {
  Behaviour behaviour = recorded();
  behaviour.canaries[0].recorded->values["totals.cycles"] = 0;
  EXPECT_EQ(moved_units(moves(behaviour, runs(1, 1000))), std::vector<std::string>{"host"});
}

TEST_F(Behaviours, ADamagedRecordIsNamed) {
  std::ofstream(recorded_) << "{\"versions\": {}";
  try {
    read();
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(recorded_), std::string::npos) << error.what();
  }
}

TEST_F(Behaviours, AUnitWithoutACanaryIsRefused) {
  std::ofstream(described_, std::ios::app) << "[[unit]]\nname = \"idle\"\nwhat = \"none\"\n";
  EXPECT_THROW(read(), InputError);
}

TEST_F(Behaviours, ACanaryOfNoUnitIsRefusedWithItsPlace) {
  std::ofstream(described_, std::ios::app)
      << "[[canary]]\nname = \"x\"\nunit = \"hots\"\nworkload = \"bfs\"\ngpu = \"k20c\"\n";
  try {
    read();
    FAIL() << "was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 21u) << error.what();
  }
}

}  // namespace
}  // namespace raddle::experiment
