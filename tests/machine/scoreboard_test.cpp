#include "machine/scoreboard/scoreboard.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

isa::RegisterSet rows(std::uint64_t bits) {
  isa::RegisterSet set;
  set.rows[0] = bits;
  return set;
}

TEST(Scoreboard, ReaderAndWriterWaitForTheResult) {
  Scoreboard scoreboard(2, 1);
  scoreboard.reserve_execution(0, rows(0b100));
  EXPECT_EQ(scoreboard.wait(0, rows(0b110)), Scoreboard::Wait::execution);
  EXPECT_EQ(scoreboard.wait(0, rows(0b011)), Scoreboard::Wait::none);
  EXPECT_EQ(scoreboard.wait(1, rows(0b110)), Scoreboard::Wait::none);
  scoreboard.release_execution(0, rows(0b100));
  EXPECT_EQ(scoreboard.wait(0, rows(0b110)), Scoreboard::Wait::none);
}

TEST(Scoreboard, MemoryIsTheReasonWhenBothAreAwaited) {
  Scoreboard scoreboard(1, 1);
  scoreboard.reserve_execution(0, rows(0b01));
  scoreboard.reserve_memory(0, rows(0b10));
  EXPECT_EQ(scoreboard.wait(0, rows(0b11)), Scoreboard::Wait::memory);
  EXPECT_EQ(scoreboard.wait(0, rows(0b01)), Scoreboard::Wait::execution);
}

TEST(Scoreboard, CallsWaitForEverything) {
  Scoreboard scoreboard(1, 1);
  EXPECT_TRUE(scoreboard.empty(0));
  isa::RegisterSet predicate;
  predicate.predicates = 4;
  scoreboard.reserve_execution(0, predicate);
  EXPECT_EQ(scoreboard.wait_all(0), Scoreboard::Wait::execution);
  scoreboard.release_execution(0, predicate);
  EXPECT_TRUE(scoreboard.empty(0));
}

/// Rhu and Erez, HPCA 2013: what was under way when lanes came to a path may be theirs.
TEST(Scoreboard, APathWaitsForWhatOthersHadUnderWayWhenItBegan) {
  Scoreboard scoreboard(2, 2);
  const PathId left = path_id(1, 0), right = path_id(1, 1);
  scoreboard.reserve_execution(left, rows(0b01));
  scoreboard.inherit(right);
  scoreboard.reserve_execution(left, rows(0b10));
  EXPECT_EQ(scoreboard.wait(right, rows(0b01)), Scoreboard::Wait::execution);
  EXPECT_EQ(scoreboard.wait(right, rows(0b10)), Scoreboard::Wait::none);
  scoreboard.release_execution(left, rows(0b01));
  EXPECT_EQ(scoreboard.wait(right, rows(0b01)), Scoreboard::Wait::none);
}

}  // namespace
}  // namespace raddle::machine
