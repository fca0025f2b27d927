#include "machine/scheduler/warp_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "machine/scheduler/config.h"
#include "machine/scheduler/policies/kinds.h"

namespace raddle::machine {
namespace {

struct Harness {
  Harness(const std::string& policy, unsigned active) : config("scheduler") {
    config.active_warps = active;
    for (const WarpPolicyKind& kind : warp_policy_kinds()) {
      if (kind.name != policy) continue;
      if (kind.make_config != nullptr) own = kind.make_config(root);
      made = kind.make({config, own.get(), statistics, 0});
    }
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) ages[warp] = kMaxWarps - warp;
  }
  unsigned pick(WarpMask ready, WarpMask away = 0) {
    return made->pick({ready, away, 0, ages, 0, next.data(), blocks.data()});
  }
  unsigned issue(WarpMask ready, WarpMask away = 0) {
    const unsigned warp = pick(ready, away);
    made->issued(warp, {}, 0);
    return warp;
  }
  ConfigGroup root{""};
  std::unique_ptr<ConfigGroup> own;
  SchedulerConfig config;
  StatGroup statistics{"sm"};
  std::array<const isa::Instruction*, kMaxWarps> next{};
  std::array<std::uint8_t, kMaxWarps> blocks{};
  std::unique_ptr<WarpPolicy> made;
  WarpAges ages{};  // the higher the slot, the older
};

TEST(WarpScheduler, GreedyThenOldest) {
  Harness gto("gto", 8);
  EXPECT_EQ(gto.issue(0b1110), 3u);  // the oldest
  EXPECT_EQ(gto.issue(0b1111), 3u);  // greedy
  EXPECT_EQ(gto.issue(0b0111), 2u);  // it waits: the oldest of the others
  EXPECT_EQ(gto.issue(0b1111), 2u);  // greedy again, though an older one is ready
}

TEST(WarpScheduler, GreedyThenYoungest) {
  Harness gty("gty", 8);
  EXPECT_EQ(gty.issue(0b1110), 1u);  // the youngest
  EXPECT_EQ(gty.issue(0b1111), 1u);  // greedy
  EXPECT_EQ(gty.issue(0b1100), 2u);  // it waits: the youngest of the others
  EXPECT_EQ(gty.issue(0b1111), 2u);  // greedy again, though a younger one is ready
}

TEST(WarpScheduler, LooseRoundRobin) {
  Harness lrr("lrr", 8);
  EXPECT_EQ(lrr.issue(0b1111), 1u);
  EXPECT_EQ(lrr.issue(0b1111), 2u);
  EXPECT_EQ(lrr.issue(0b0011), 0u);  // 3 is not ready: its turn is skipped
  EXPECT_EQ(lrr.issue(WarpMask{1} << 63), 63u);
  EXPECT_EQ(lrr.issue(0b0001), 0u);
}

// policy.h: one that is an order picks the first, and asking it changes nothing. So it picks the same
// warp when others are not offered, and the machine may leave out those that cannot issue.
TEST(WarpScheduler, OrdersPickTheSameWhenOthersAreLeftOut) {
  std::mt19937_64 random(1);
  unsigned orders = 0;
  for (const WarpPolicyKind& kind : warp_policy_kinds()) {
    Harness order(std::string(kind.name), 8);
    if (!order.made->is_order()) continue;
    ++orders;
    for (int n = 0; n < 2000; ++n) {
      const WarpMask all = random() | 1, fewer = all & random();
      const unsigned picked = order.pick(all);
      ASSERT_EQ(order.pick(fewer | warp_bit(picked)), picked) << kind.name;
      if (n % 4 == 0) order.issue((all & random()) | warp_bit(picked));
    }
  }
  EXPECT_NE(orders, 0u);
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
  EXPECT_EQ(WarpScheduler(1, 4, 0, nullptr).owned(), 0x2222222222222222ull);
}

TEST(WarpScheduler, AWarpReadyForAWholeTurnGoesBeforeOthersInTheNext) {
  Patience patience(100);
  EXPECT_FALSE(patience.over(99));
  patience.begin_turn(0b0111, 100);
  EXPECT_EQ(patience.first(), 0u);  // when they became ready is not known
  patience.issued(0);
  patience.begin_turn(0b1101, 200);  // 1 has gone to wait
  EXPECT_EQ(patience.first(), 0b0100u);
  patience.issued(2);
  patience.begin_turn(0b1111, 300);
  EXPECT_EQ(patience.first(), 0b1001u);
}

TEST(WarpScheduler, NobodyHasWaitedThroughTurnsWithoutAChoice) {
  Patience patience(100);
  patience.begin_turn(0b1111, 100);
  patience.begin_turn(0b1111, 300);  // nothing to choose from between 200 and 300
  EXPECT_EQ(patience.first(), 0u);
}

TEST(WarpScheduler, WithoutPatienceTurnsNeverEnd) { EXPECT_FALSE(Patience(0).over(kNever - 1)); }

/// What holds for every policy, on warps that run and wait by a pattern of their own.
class EveryPolicy : public testing::TestWithParam<std::string> {
 protected:
  /// Runs warps of `work` instructions each; after an instruction a warp is not ready for a while
  /// that depends on both. Returns the cycles until all have ended.
  Cycle run(Harness& harness, unsigned warps, unsigned work) {
    std::array<unsigned, kMaxWarps> left{};
    std::array<Cycle, kMaxWarps> ready_at{};
    std::fill_n(left.begin(), warps, work);
    Cycle now = 0;
    for (unsigned all = warps * work; all != 0; ++now) {
      WarpMask ready = 0, away = 0;
      for (unsigned warp = 0; warp < warps; ++warp) {
        if (left[warp] != 0 && ready_at[warp] <= now) ready |= warp_bit(warp);
        if (left[warp] == 0 || ready_at[warp] > now + 20) away |= warp_bit(warp);
      }
      if (ready == 0) continue;
      const unsigned warp = harness.issue(ready, away);
      EXPECT_TRUE(ready & warp_bit(warp)) << "warp " << warp << " was not ready";
      --left[warp];
      --all;
      ready_at[warp] = now + 1 + (left[warp] * 7 + warp * 3) % 5 * (left[warp] % 4 == 0 ? 20 : 1);
    }
    return now;
  }
};

TEST_P(EveryPolicy, IssuesReadyWarpsOnlyAndAllOfThemInTheEnd) {
  for (const unsigned warps : {1u, 2u, 7u, 64u}) {
    Harness harness(GetParam(), 8);
    run(harness, warps, 50);
  }
}

TEST_P(EveryPolicy, EachReadyWarpGetsItsTurn) {
  Harness harness(GetParam(), 8);
  WarpMask seen = 0;
  for (unsigned n = 0; n < 64; ++n) seen |= warp_bit(harness.issue(~seen));
  EXPECT_EQ(seen, ~WarpMask{0}) << "each waits when it has issued, so each gets its turn";
}

TEST_P(EveryPolicy, TheSameHistoryGivesTheSameChoice) {
  Harness one(GetParam(), 8), other(GetParam(), 8);
  EXPECT_EQ(run(one, 33, 40), run(other, 33, 40));
}

INSTANTIATE_TEST_SUITE_P(WarpScheduler, EveryPolicy, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const WarpPolicyKind& kind : warp_policy_kinds()) {
                             names.emplace_back(kind.name);
                           }
                           return names;
                         }()));

}  // namespace
}  // namespace raddle::machine
