#include "machine/phase_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace raddle::machine {
namespace {

/// Phases of changing sizes, right after each other and after pauses in which the threads sleep.
TEST(PhasePool, EachItemOfEachPhaseIsCarriedOutOnce) {
  constexpr unsigned kItems = 50;
  for (const unsigned threads : {1u, 2u, 5u}) {
    PhasePool pool(threads);
    ASSERT_EQ(pool.shares(), threads);
    std::vector<std::atomic<unsigned>> times(kItems);
    std::vector<unsigned> expected(kItems);
    auto work = [&](unsigned item) { times[item].fetch_add(1, std::memory_order_relaxed); };
    for (unsigned phase = 0; phase < 3000; ++phase) {
      pool.clear();
      for (unsigned item = phase % 3; item < kItems; item += 1 + phase % 7) {
        pool.add(pool.share_of(item, kItems), item);
        ++expected[item];
      }
      pool.run(work);
      if (phase % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      for (unsigned item = 0; item < kItems; ++item) ASSERT_EQ(times[item], expected[item]);
    }
  }
}

/// What one thread writes, the caller sees after the phase, and all threads see in the next.
TEST(PhasePool, APhaseSeesWhatTheLastOneWrote) {
  constexpr unsigned kItems = 64;
  PhasePool pool(3);
  std::vector<unsigned> now(kItems, 1), next(kItems);
  for (unsigned phase = 0; phase < 500; ++phase) {
    pool.clear();
    for (unsigned item = 0; item < kItems; ++item) pool.add(pool.share_of(item, kItems), item);
    auto work = [&](unsigned item) { next[item] = now[(item + 17) % kItems] + 1; };
    pool.run(work);
    now.swap(next);
  }
  EXPECT_EQ(now, std::vector<unsigned>(kItems, 501));
}

TEST(PhasePool, AnExceptionReachesTheCallerWhenThePhaseHasEnded) {
  PhasePool pool(2);
  for (const bool fails : {true, false}) {
    pool.clear();
    for (unsigned item = 0; item < 10; ++item) pool.add(pool.share_of(item, 10), item);
    std::atomic<unsigned> ended = 0;
    auto work = [&](unsigned item) {
      if (fails && item % 5 == 2) throw std::runtime_error("wrong");
      ++ended;
    };
    if (fails) {
      EXPECT_THROW(pool.run(work), std::runtime_error);
    } else {
      EXPECT_NO_THROW(pool.run(work));
    }
    EXPECT_EQ(ended, fails ? 8u : 10u);
  }
}

TEST(PhasePool, SharesAreNeighboursAndItemsAreVisitedInOrder) {
  PhasePool pool(2);
  for (unsigned item = 0; item < 5; ++item) pool.add(pool.share_of(item, 5), item);
  std::vector<unsigned> order;
  auto visit = [&](unsigned item) { order.push_back(item); };
  pool.run_alone(visit);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3, 4}));
  EXPECT_EQ(pool.share_of(2, 5), 0u);
  EXPECT_EQ(pool.share_of(3, 5), 1u);
}

}  // namespace
}  // namespace raddle::machine
