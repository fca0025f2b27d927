// The parts of thread block management, each by itself.
#include <gtest/gtest.h>

#include "base/error.h"
#include "mechanisms/blocks/balance.h"
#include "mechanisms/blocks/kernel_averages.h"
#include "mechanisms/blocks/phases.h"
#include "mechanisms/blocks/tracker.h"
#include "mechanisms/blocks/usage_table.h"
#include "mechanisms/blocks/victim_queue.h"

#include "machine/kernels.h"

namespace raddle::mechanisms::blocks {
namespace {

const Steps kSteps{{0.125, 0.25}, Levels::even};
const Steps kDoubling{{0.01, 0.01}, Levels::doubling};

TEST(Steps, LevelsAreWholeStepsAndHaveThreeBits) {
  EXPECT_EQ(kSteps.usage({0.124, 0.25}), (Usage{{0, 1}}));
  EXPECT_EQ(kSteps.usage({0.5, 0.99}), (Usage{{4, 3}}));
  EXPECT_EQ(kSteps.usage({5, 9}), (Usage{{7, 7}}));
}

TEST(Steps, ARateHasMovedWhenItIsMoreThanAStepAway) {
  EXPECT_FALSE(kSteps.moved({0.5, 0.5}, {0.625, 0.25}));
  EXPECT_TRUE(kSteps.moved({0.5, 0.5}, {0.626, 0.5}));
  EXPECT_TRUE(kSteps.moved({0.5, 0.5}, {0.5, 0.2}));
}

TEST(Steps, DoublingLevelsHoldRatesFromOneStepTo64) {
  EXPECT_EQ(kDoubling.usage({0.0099, 0.0101}), (Usage{{0, 1}}));
  EXPECT_EQ(kDoubling.usage({0.0399, 0.0401}), (Usage{{2, 3}}));
  EXPECT_EQ(kDoubling.usage({0.639, 0.641}), (Usage{{6, 7}}));
  EXPECT_EQ(kDoubling.usage({50, 0.98}), (Usage{{7, 7}}));
  EXPECT_EQ(kDoubling.count(0), 0u);
  EXPECT_EQ(kDoubling.count(1), 1u);
  EXPECT_EQ(kDoubling.count(7), 64u);
}

TEST(Steps, WhereLevelsDoubleARateHasMovedByAFactorOfTwo) {
  EXPECT_FALSE(kDoubling.moved({0.1, 0}, {0.19, 0}));
  EXPECT_FALSE(kDoubling.moved({0.19, 0}, {0.1, 0}));
  EXPECT_TRUE(kDoubling.moved({0.1, 0}, {0.21, 0}));
  EXPECT_TRUE(kDoubling.moved({0, 0.21}, {0, 0.1}));
  EXPECT_FALSE(kDoubling.moved({0.001, 0}, {0.009, 0})) << "less than a step";
}

// Section V: 16 KB, 3 bits for each of two metrics, "about 21K entries".
TEST(UsageTable, HasAsManyEntriesAsItsBytesHold) {
  EXPECT_EQ(UsageTable(16384).entries(), 21845u);
  EXPECT_EQ(UsageTable(1).entries(), 1u);
}

TEST(UsageTable, TellsStreamsAndBlocksApartAsLongAsTheyFallIntoDifferentEntries) {
  UsageTable table(16384);
  EXPECT_TRUE(table.set({0, 0, 5, "a"}, {{1, 2}}));
  EXPECT_TRUE(table.set({0, 1, 5, "a"}, {{3, 4}}));
  EXPECT_EQ(table.at({0, 0, 5, "another kernel"}), (Usage{{1, 2}}));
  EXPECT_EQ(table.at({0, 1, 5, "a"}), (Usage{{3, 4}}));
  EXPECT_EQ(table.at({0, 1, 6, "a"}), Usage{});
  EXPECT_EQ(table.at({1, 0, 5, "a"}), Usage{}) << "another program's (raddle corun)";
  EXPECT_TRUE(table.set({0, 0, 5, "b"}, {{5, 5}})) << "it is its own";
  EXPECT_FALSE(table.set({0, 0, 5 + 21845, "a"}, {{7, 7}})) << "it falls into the same entry";
  EXPECT_EQ(table.at({0, 0, 5, "a"}), (Usage{{7, 7}}));
}

/// What an entry says after updates that tell of these levels of memory stalls.
unsigned after(std::initializer_list<unsigned> levels, const char* most_fall) {
  struct Root : ConfigGroup {
    Root() : ConfigGroup("root") {}
  } root;
  BlocksConfig config(root, "blocks");
  config.most_fall.set(most_fall);
  StatGroup group("gpu");
  BlockScheme scheme({config, kSteps, group.unit<BlocksStats>("blocks")}, {});
  for (const unsigned level : levels) {
    scheme.learn({0, 0, 1, "a"}, {0.125 * (level + 0.5), 0}, false);
  }
  return scheme.estimate({0, 0, 1, "a"})[Metric::memory];
}

TEST(BlockScheme, AnEntryFallsByAsMuchAsItMayAndRisesAtOnce) {
  EXPECT_EQ(after({6, 1}, "7"), 1u);
  EXPECT_EQ(after({6, 1}, "2"), 4u);
  EXPECT_EQ(after({6, 5}, "2"), 5u);
  EXPECT_EQ(after({6, 1}, "0"), 6u);
  EXPECT_EQ(after({1, 6}, "0"), 6u);
}

Balance::Resident resident(const Usage& usage) { return {true, {0, 0, 0, "a"}, usage, usage, 1}; }

TEST(Balance, WhereLevelsDoubleItAddsTheStepsThatTheyAre) {
  Balance balance(1, 4, kDoubling, {20, 20});
  balance.put(0, 0, resident({{5, 0}}));        // 16 steps
  EXPECT_TRUE(balance.has_room(0, {{3, 0}}));   // 4 steps
  EXPECT_FALSE(balance.has_room(0, {{4, 0}}));  // 8 steps
  balance.set(0, 0, {{4, 0}});                  // 8 steps
  EXPECT_TRUE(balance.has_room(0, {{4, 0}}));
}

TEST(Balance, ABlockHasRoomForTheMetricsThatItUses) {
  Balance balance(2, 4, kSteps, {8, 4});
  balance.put(0, 0, resident({{5, 4}}));
  EXPECT_TRUE(balance.has_room(0, {{3, 0}}));
  EXPECT_FALSE(balance.has_room(0, {{4, 0}}));
  EXPECT_FALSE(balance.has_room(0, {{0, 1}}));
  EXPECT_TRUE(balance.has_room(1, {{7, 4}}));
  balance.take(0, 0);
  EXPECT_TRUE(balance.has_room(0, {{7, 4}}));
}

TEST(Balance, IsOversubscribedByWhatABlockUsesMoreOf) {
  Balance balance(1, 4, kSteps, {8, 4});
  balance.put(0, 0, resident({{5, 0}}));
  balance.put(0, 1, resident({{3, 0}}));
  EXPECT_FALSE(balance.oversubscribed_by(0, {{0, 0}}, {{3, 0}})) << "8 of 8";
  balance.set(0, 1, {{4, 0}});
  EXPECT_TRUE(balance.oversubscribed_by(0, {{3, 0}}, {{4, 0}}));
  EXPECT_FALSE(balance.oversubscribed_by(0, {{4, 0}}, {{4, 0}})) << "it does not use more";
  EXPECT_FALSE(balance.oversubscribed_by(0, {{4, 0}}, {{4, 1}})) << "not of what is scarce";
}

TEST(VictimQueue, TheLastInIsTheFirst) {
  VictimQueue queue(2);
  queue.push({1, 0}, 10);
  EXPECT_FALSE(queue.full());
  queue.push({1, 1}, 20);
  EXPECT_TRUE(queue.full());
  EXPECT_EQ(queue.depth({1, 1}), 0u);
  EXPECT_EQ(queue.depth({1, 0}), 1u);
  EXPECT_EQ(queue.depth({2, 0}), VictimQueue::kNone);
  EXPECT_EQ(queue.at(0).left, kNever) << "it has not left yet";
  EXPECT_EQ(queue.take(1).asked, 10u);
  EXPECT_EQ(queue.depth({1, 1}), 0u);
  EXPECT_FALSE(queue.full());
}

TEST(KernelAverages, OldUpdatesFade) {
  KernelAverages all(1e9), lately(2);
  for (const double rate : {1.0, 3.0, 5.0}) {
    all.add({0, 0, 0, "a"}, {rate, 0});
    lately.add({0, 1, 7, "a"}, {rate, 0});
  }
  EXPECT_DOUBLE_EQ(all.of({0, 5, 5, "a"})[0], 3);
  EXPECT_DOUBLE_EQ(lately.of({0, 5, 5, "a"})[0], 3.5);  // 1; 2; then half of each
  EXPECT_DOUBLE_EQ(all.of({0, 0, 0, "b"})[0], 0);
}

// Section III: the mean of a window of 100 us moves by more than 5 %.
TEST(Phases, EndWhereTheMeanOfAWindowMoves) {
  StatGroup root("gpu");
  auto& stats = root.unit<BlocksStats>("blocks");
  Phases phases(100, 0.05, {0.01, 0.01}, 1, stats);
  const auto feed = [&](double rate, unsigned windows) {
    for (unsigned n = 0; n < 4 * windows; ++n) phases.add({0, 0, 3, "a"}, {rate, 0}, 25);
  };
  feed(0.50, 4);
  feed(0.52, 3);  // by 4 %
  EXPECT_EQ(stats.phases, 0u);
  feed(0.53, 2);  // by 6 % of what the phase began with
  EXPECT_EQ(stats.phases, 1u);
  EXPECT_EQ(stats.phases_us, 700u);
  phases.add({0, 1, 3, "a"}, {0, 0}, 1000);
  phases.add({0, 1, 3, "a"}, {0.009, 0}, 1000);  // as good as nothing
  EXPECT_EQ(stats.phases, 1u);
  feed(0, 1);
  EXPECT_EQ(stats.phases, 2u);
  EXPECT_EQ(stats.phases_us, 900u);
}

struct Watching : testing::Test {
  machine::test::Machine machine{machine::test::kAddIndex};
  Meter meter{machine.config()};
  machine::BlockCounts counts;
  machine::PlacedBlock block{.slot = 2, .since = 100, .counts = &counts};
  Tracker tracker{meter, kSteps, 4};
};

TEST_F(Watching, ABlockIsLookedAtOnceInItsPeriodAndNotACycleBefore) {
  tracker.started(block, 50);
  EXPECT_EQ(tracker.next(), 150u);
  EXPECT_FALSE(tracker.is_due(2, 149));
  EXPECT_TRUE(tracker.is_due(2, 150));
  EXPECT_FALSE(tracker.is_due(1, 150));
  ASSERT_TRUE(tracker.look(block, 150));
  EXPECT_FALSE(tracker.is_due(2, 199));
  EXPECT_TRUE(tracker.is_due(2, 200));
}

TEST_F(Watching, ALookTellsWhatHasMovedSinceTheLastThatDid) {
  tracker.started(block, 50);
  const double schedulers = 4;  // of the K20c
  const auto look = [&](double rate, Cycle now, Cycle cycles) {
    counts.load_store_full += static_cast<std::uint64_t>(rate * schedulers * cycles);
    return *tracker.look(block, now);
  };
  EXPECT_FALSE(look(0.1, 199, 100).moved);
  const Look moved = look(0.2, 299, 100);
  EXPECT_TRUE(moved.moved);
  EXPECT_DOUBLE_EQ(moved.rates[0], 0.2);
  EXPECT_EQ(moved.cycles, 100u);
  EXPECT_FALSE(look(0.3, 399, 100).moved) << "from 0.2, not from 0.1";
  EXPECT_TRUE(look(0.35, 499, 100).moved);
  EXPECT_NEAR(tracker.ended(block, 499).all.rates[0], (0.1 + 0.2 + 0.3 + 0.35) / 4, 1e-9);
  EXPECT_EQ(tracker.next(), kNever);
}

TEST_F(Watching, BlocksOnTheirWayAreNotLookedAt) {
  tracker.started(block, 50);
  block.leaving = true;
  EXPECT_FALSE(tracker.look(block, 150));
  EXPECT_EQ(tracker.next(), 200u);
}

TEST_F(Watching, TheTimeInWhichItsStateComesDoesNotCount) {
  tracker.started(block, 50);
  counts.load_store_full = 1000;
  tracker.restored(block, 300);
  const auto look = tracker.look(block, 349);
  ASSERT_TRUE(look);
  EXPECT_EQ(look->cycles, 50u);
  EXPECT_EQ(look->rates[0], 0);
}

}  // namespace
}  // namespace raddle::mechanisms::blocks
