// Which of many sleepers is due.
#include "base/due.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle {
namespace {

std::vector<unsigned> due(const DueTimes& times, Cycle limit) {
  std::vector<unsigned> visited;
  times.for_each_due(limit, [&](unsigned i) { visited.push_back(i); });
  return visited;
}

TEST(DueTimes, NobodyIsDueAtFirst) {
  EXPECT_TRUE(due(DueTimes(20), kNever - 1).empty());
  EXPECT_EQ(DueTimes(20).first(), kNever);
}

TEST(DueTimes, VisitsThoseThatAreDueInOrder) {
  DueTimes times(20);
  times[19] = 5;
  times[0] = 7;
  times[6] = 8;
  EXPECT_EQ(due(times, 4), std::vector<unsigned>{});
  EXPECT_EQ(due(times, 7), (std::vector<unsigned>{0, 19}));
  EXPECT_EQ(due(times, 8), (std::vector<unsigned>{0, 6, 19}));
  EXPECT_EQ(times.first(), 5u);
}

TEST(DueTimes, NeverIsWhenAllAreVisited) {
  EXPECT_EQ(due(DueTimes(3), kNever), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_TRUE(due(DueTimes(0), kNever).empty());
}

TEST(DueTimes, AVisitMayPutOff) {
  DueTimes times(3);
  times[0] = times[1] = times[2] = 1;
  unsigned visits = 0;
  times.for_each_due(1, [&](unsigned i) { times[i] = 2, ++visits; });
  EXPECT_EQ(visits, 3u);
  EXPECT_TRUE(due(times, 1).empty());
}

}  // namespace
}  // namespace raddle
