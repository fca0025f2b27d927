#include <gtest/gtest.h>

#include <random>
#include <set>

#include "corun/session.h"

namespace raddle::corun {
namespace {

TEST(Periods, WhatOverlapsCountsOnce) {
  Periods periods;
  periods.add(10, 20);
  periods.add(15, 30);
  EXPECT_EQ(periods.sum(), 20u);
  periods.add(40, 50);
  EXPECT_EQ(periods.sum(), 30u);
  periods.add(0, 60);  // began first and ends last
  EXPECT_EQ(periods.sum(), 60u);
}

TEST(Periods, OfNoLengthCountsNothing) {
  Periods periods;
  periods.add(7, 7);
  EXPECT_EQ(periods.sum(), 0u);
}

/// Any periods that end in order: as many as there are cycles in one of them.
TEST(Periods, AreTheCyclesInAnyOfThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Periods periods;
    std::set<Cycle> cycles;
    Cycle end = 0;
    for (int n = 0; n < 20; ++n) {
      end += random() % 10;
      const Cycle from = end - std::min<Cycle>(end, random() % 40);
      periods.add(from, end);
      for (Cycle one = from; one < end; ++one) cycles.insert(one);
      ASSERT_EQ(periods.sum(), cycles.size()) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace raddle::corun
