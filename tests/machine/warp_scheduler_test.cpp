#include "machine/scheduler/warp_scheduler.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct Harness {
  Harness(const char* policy, unsigned active)
      : config("scheduler"), scheduler(setup(policy, active), 0) {
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) ages[warp] = kMaxWarps - warp;
  }
  const SchedulerConfig& setup(const char* policy, unsigned active) {
    config.count = 1;
    config.policy.set(policy);
    config.active_warps = active;
    return config;
  }
  unsigned issue(WarpMask ready, WarpMask away = 0) {
    const unsigned warp = scheduler.pick(ready, away, ages);
    scheduler.issued(warp);
    return warp;
  }
  SchedulerConfig config;
  WarpScheduler scheduler;
  WarpAges ages{};  // the higher the slot, the older
};

TEST(WarpScheduler, GreedyThenOldest) {
  Harness gto("gto", 8);
  EXPECT_EQ(gto.issue(0b1110), 3u);  // the oldest
  EXPECT_EQ(gto.issue(0b1111), 3u);  // greedy
  EXPECT_EQ(gto.issue(0b0111), 2u);  // it waits: the oldest of the others
  EXPECT_EQ(gto.issue(0b1111), 2u);  // greedy again, though an older one is ready
}

TEST(WarpScheduler, LooseRoundRobin) {
  Harness lrr("lrr", 8);
  EXPECT_EQ(lrr.issue(0b1111), 1u);
  EXPECT_EQ(lrr.issue(0b1111), 2u);
  EXPECT_EQ(lrr.issue(0b0011), 0u);  // 3 is not ready: its turn is skipped
  EXPECT_EQ(lrr.issue(WarpMask{1} << 63), 63u);
  EXPECT_EQ(lrr.issue(0b0001), 0u);
}

TEST(WarpScheduler, TwoLevelStaysInItsGroupUntilAWarpGoesAway) {
  Harness two("two_level", 2);
  const unsigned first = two.issue(0b1111);
  const unsigned second = two.issue(0b1111);
  EXPECT_NE(first, second);
  EXPECT_EQ(two.issue(0b1111), first);
  EXPECT_EQ(two.issue(0b1111), second);
  const WarpMask away = warp_bit(first);
  const unsigned third = two.issue(0b1111 & ~away, away);
  EXPECT_NE(third, first);
  EXPECT_NE(third, second);
}

TEST(WarpScheduler, OwnsWarpsModuloTheNumberOfSchedulers) {
  SchedulerConfig config("scheduler");
  config.count = 4;
  EXPECT_EQ(WarpScheduler(config, 1).owned(), 0x2222222222222222ull);
}

}  // namespace
}  // namespace raddle::machine
