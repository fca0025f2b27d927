#include "base/pace.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle {
namespace {

/// The cycles of the first `count` events of a unit that always has one.
std::vector<Cycle> events(double per_cycle, std::size_t count) {
  Pace pace(per_cycle);
  std::vector<Cycle> at;
  for (Cycle now = 0; at.size() < count; ++now) {
    while (at.size() < count && pace.due(now)) {
      pace.happens(now);
      at.push_back(now);
    }
  }
  return at;
}

TEST(Pace, WholeRatesComeSoManyACycle) {
  EXPECT_EQ(events(1, 3), (std::vector<Cycle>{0, 1, 2}));
  EXPECT_EQ(events(2, 5), (std::vector<Cycle>{0, 0, 1, 1, 2}));
}

TEST(Pace, ARateBelowOneLeavesCyclesOut) {
  EXPECT_EQ(events(0.5, 3), (std::vector<Cycle>{0, 2, 4}));
}

TEST(Pace, WhatIsLeftOfACycleIsNotLost) {
  EXPECT_NEAR(static_cast<double>(events(0.84, 8401).back()), 10000, 1);
}

TEST(Pace, IdleCyclesSaveUpNothing) {
  Pace pace(1);
  pace.happens(0);
  ASSERT_TRUE(pace.due(100));
  pace.happens(100);
  EXPECT_FALSE(pace.due(100));
  EXPECT_EQ(pace.ready_at(), 101u);
}

}  // namespace
}  // namespace raddle
