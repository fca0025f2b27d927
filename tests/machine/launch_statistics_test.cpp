// What is kept for each launch, and that statistics outlive the engines that count them.
#include "machine/launch_statistics.h"

#include <gmock/gmock-matchers.h>

#include <cmath>
#include <optional>

#include "kernels.h"
#include "machine/engine.h"
#include "machine/launch_log.h"

namespace raddle::machine {
namespace {

using test::Machine;

const std::string kThreeKernels = std::string(test::kAddIndex) + test::kReverse + test::kCount;

class LaunchStatisticsTest : public testing::Test {
 protected:
  void start(const test::Settings& settings) {
    machine_.emplace(kThreeKernels.c_str(), settings);
    form_ = &gpu().measure_launches();
  }
  Gpu& gpu() { return machine_->gpu(); }
  GridRecord run(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    machine_->launch(kernel, blocks, threads);
    machine_->run();
    return gpu().take_ended().at(0);
  }
  double value(const MergedStats::State& state, const std::string& unit, const char* name) {
    for (const MergedStats::Entry& entry : form_->entries()) {
      if (entry.unit == unit && entry.statistic->name() == name) {
        return form_->figures(entry, state).at(0).value;
      }
    }
    ADD_FAILURE() << "no statistic " << unit << "." << name;
    return -1;
  }
  double value(const GridRecord& record, const std::string& unit, const char* name) {
    return value(*record.statistics, unit, name);
  }

  std::optional<Machine> machine_;
  const MergedStats* form_ = nullptr;
};

TEST_F(LaunchStatisticsTest, OfALaunchAloneAreExact) {
  for (const char* skip : {"true", "false"}) {
    start({{"gpu.skip_idle", skip}});
    run("reverse", 30, 256);
    const GridRecord record = run("add_index", 20, 64);
    ASSERT_NE(record.statistics, nullptr);
    EXPECT_FALSE(record.overlapped);
    EXPECT_EQ(value(record, "", "grids"), 1);
    EXPECT_EQ(value(record, "", "cycles"), record.cycles());
    EXPECT_EQ(value(record, "sm", "blocks"), 20);
    EXPECT_EQ(value(record, "sm", "warp_instructions"), record.warp_instructions);
    EXPECT_EQ(value(record, "sm", "active_lanes"), record.warp_instructions);  // its count
    EXPECT_EQ(value(record, "", "thread_instructions"), record.thread_instructions);
    EXPECT_EQ(value(record, "sm.coalescer", "requests"), 2 * 20 * 2);  // a load and a store each
  }
}

TEST_F(LaunchStatisticsTest, OfLaunchesOneAfterTheOtherAddUpToAll) {
  start({});
  MergedStats::State sum = form_->empty(), all;
  for (const char* kernel : {"reverse", "add_index", "count", "reverse"}) {
    form_->add(sum, *run(kernel, 12, 256).statistics);
  }
  static_cast<void>(gpu().statistics());  // settles
  form_->read(all);
  for (const MergedStats::Entry& entry : form_->entries()) {
    // What memory does after the end of a launch, and the time in which one is queued, belong to
    // none.
    if (entry.unit.empty() || entry.unit == "l2" || entry.unit == "dram") continue;
    const auto figures = form_->figures(entry, sum), expected = form_->figures(entry, all);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      if (std::isnan(expected[n].value)) continue;
      EXPECT_DOUBLE_EQ(figures.at(n).value, expected[n].value)
          << entry.unit << "." << entry.statistic->name() << " " << expected[n].part;
    }
  }
}

TEST_F(LaunchStatisticsTest, APeakIsTheLaunchsOwn) {
  start({{"gpu.sms", "1"}});
  EXPECT_EQ(value(run("add_index", 1, 1024), "sm", "resident_warps_peak"), 32);
  EXPECT_EQ(value(run("add_index", 1, 64), "sm", "resident_warps_peak"), 2);
}

TEST_F(LaunchStatisticsTest, OfLaunchesSideBySideSaySo) {
  start({});
  machine_->launch("add_index", 4, 1024);
  machine_->launch("count", 4, 32);
  machine_->run();
  const auto ended = gpu().take_ended();
  ASSERT_EQ(ended.size(), 2u);
  for (const GridRecord& record : ended) {
    EXPECT_TRUE(record.overlapped) << record.kernel;
    EXPECT_GE(value(record, "sm", "warp_instructions"), record.warp_instructions);
  }
  EXPECT_FALSE(run("count", 4, 32).overlapped);
}

TEST_F(LaunchStatisticsTest, AreKeptByKernelAndOfTheFirstLaunches) {
  start({});
  LaunchLog log;
  log.keep_each();
  log.measure(*form_, 2);
  std::uint64_t instructions = 0;
  for (const char* kernel : {"count", "add_index", "count"}) {
    const GridRecord record = run(kernel, 3, 32);
    if (record.kernel == "count") instructions += record.warp_instructions;
    log.add(record);
  }
  EXPECT_EQ(value(log.kernels().at(0).statistics, "sm", "warp_instructions"), instructions);
  EXPECT_EQ(value(log.kernels().at(0).statistics, "", "grids"), 2);
  EXPECT_NE(log.each().at(1).statistics, nullptr);
  EXPECT_EQ(log.each().at(2).statistics, nullptr);
}

TEST_F(LaunchStatisticsTest, NobodyAskedFor) {
  machine_.emplace(kThreeKernels.c_str());
  EXPECT_EQ(run("count", 3, 32).statistics, nullptr);
}

TEST_F(LaunchStatisticsTest, GoOnAfterAReset) {
  start({});
  run("count", 3, 32);
  const StatGroup* const tree = &gpu().statistics();
  machine_->launch("count", 100, 1024);
  gpu().advance(gpu().now() + 300);  // it runs
  gpu().reset([] {});
  const std::uint64_t before = total(gpu().statistics(), "sm", "blocks");
  const GridRecord after = run("count", 5, 32);
  EXPECT_EQ(value(after, "sm", "blocks"), 5);
  EXPECT_FALSE(after.overlapped);
  EXPECT_EQ(total(gpu().statistics(), "sm", "blocks"), before + 5);
  EXPECT_EQ(&gpu().statistics(), tree);
}

/// Runs a kernel on this engine.
void run_on(Engine& engine, Launch launch) {
  engine.launch(std::move(launch), 0);
  while (!engine.idle()) engine.advance(kNever, kUnwanted);
}

TEST(EngineStatistics, EnginesOfBothKindsCountInOneTree) {
  Machine machine(kThreeKernels.c_str());
  GpuStats statistics("gpu");
  std::uint64_t instructions = 0;
  Cycle now = 0;
  std::unique_ptr<Engine> engine, before;
  for (const bool timed : {false, true, false, true}) {
    engine = timed ? make_timed_engine(machine.config(), machine.space(), statistics)
                   : make_functional_engine(machine.config(), machine.space(), statistics);
    if (before != nullptr) engine->continue_from(*before);
    EXPECT_EQ(engine->now(), now);
    run_on(*engine, machine.prepare("count", 4, 64));
    instructions += engine->take_ended().at(0).warp_instructions;
    EXPECT_EQ(statistics.warp_instructions, instructions);
    now = engine->now();
    before = std::move(engine);
  }
  before->settle();
  EXPECT_EQ(statistics.grids, 4u);
  EXPECT_EQ(total(statistics, "sm", "warp_instructions"), instructions / 2);
}

}  // namespace
}  // namespace raddle::machine
