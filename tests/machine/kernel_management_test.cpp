// The kernel management unit: latencies, hardware queues, the distributor's bound (dynamic-thread-
// block-launch, section 2.2).
#include "machine/dispatch/kernel_management.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct KernelManagementTest : testing::Test {
  ConfigGroup root{""};
  DispatchConfig config{root, "dispatch"};

  static std::unique_ptr<Grid> grid(GridId id, Cycle ready, std::uint32_t queue,
                                    unsigned latency = 283, int priority = 0) {
    auto made = std::make_unique<Grid>();
    made->id = id;
    made->ready = ready;
    made->hardware_queue = queue;
    made->dispatch_latency = latency;
    made->priority = priority;
    return made;
  }
  /// The grid that arrives in this cycle; 0 for none.
  static GridId arrival(KernelManagement& unit, std::size_t free, Cycle now) {
    unit.dispatch(free, now);
    const std::unique_ptr<Grid> arrived = unit.arrive(now);
    return arrived == nullptr ? 0 : arrived->id;
  }
};

TEST_F(KernelManagementTest, AGridArrivesItsLatencyAfterItIsReady) {
  KernelManagement unit(config);
  unit.launch(grid(1, 10, 0));
  EXPECT_EQ(unit.wake(32), 10u);
  EXPECT_EQ(arrival(unit, 32, 9), 0u);
  EXPECT_EQ(arrival(unit, 32, 10), 0u);
  EXPECT_EQ(unit.wake(32), 293u);
  EXPECT_EQ(arrival(unit, 32, 292), 0u);
  EXPECT_EQ(arrival(unit, 32, 293), 1u);
  EXPECT_TRUE(unit.empty());
}

TEST_F(KernelManagementTest, AQueueWaitsForTheEndOfItsHead) {
  KernelManagement unit(config);
  unit.launch(grid(1, 0, 5));
  unit.launch(grid(2, 0, 5));
  unit.launch(grid(3, 0, 6));
  EXPECT_EQ(arrival(unit, 32, 0), 0u);
  EXPECT_EQ(arrival(unit, 32, 283), 1u);
  EXPECT_EQ(arrival(unit, 31, 283), 3u);
  EXPECT_EQ(unit.wake(30), kNever);
  const std::unique_ptr<Grid> first = grid(1, 0, 5);
  unit.ended(*first);
  EXPECT_EQ(arrival(unit, 30, 1000), 0u);
  EXPECT_EQ(arrival(unit, 30, 1282), 0u);
  EXPECT_EQ(arrival(unit, 30, 1283), 2u);
}

TEST_F(KernelManagementTest, AQueueOfFermiGoesOnWhenItsHeadIsDispatched) {
  config.queue_waits = false;
  KernelManagement unit(config);
  unit.launch(grid(1, 0, 0));
  unit.launch(grid(2, 0, 0));
  EXPECT_EQ(arrival(unit, 16, 0), 0u);
  EXPECT_EQ(arrival(unit, 16, 283), 1u);
  EXPECT_EQ(arrival(unit, 15, 283), 2u);
}

TEST_F(KernelManagementTest, AFullDistributorKeepsGridsFromTheirWay) {
  KernelManagement unit(config);
  unit.launch(grid(1, 0, kNoQueue));
  unit.launch(grid(2, 0, kNoQueue));
  EXPECT_EQ(arrival(unit, 1, 0), 0u);
  EXPECT_EQ(arrival(unit, 1, 283), 1u);
  EXPECT_EQ(unit.wake(0), kNever);
  EXPECT_EQ(arrival(unit, 0, 500), 0u);
  // An entry is free from cycle 600 on: only then the way begins.
  EXPECT_EQ(unit.wake(1), 0u);
  EXPECT_EQ(arrival(unit, 1, 600), 0u);
  EXPECT_EQ(arrival(unit, 1, 882), 0u);
  EXPECT_EQ(arrival(unit, 1, 883), 2u);
}

TEST_F(KernelManagementTest, MoreUrgentGridsGoFirst) {
  KernelManagement unit(config);
  unit.launch(grid(1, 0, 0, 283, 0));
  unit.launch(grid(2, 0, 1, 283, -1));
  EXPECT_EQ(arrival(unit, 1, 0), 0u);
  EXPECT_EQ(arrival(unit, 1, 283), 2u);
}

}  // namespace
}  // namespace raddle::machine
