// When a kernel that may never end is reported.
#include "cuda/device/stuck_notice.h"

#include <gtest/gtest.h>

namespace raddle::cuda {
namespace {

struct StuckNoticeTest : ::testing::Test {
  StuckNoticeTest() {
    record.id = 1;
    progress.grid = &record;
  }
  bool at(int seconds, Cycle cycle) {
    progress.now = cycle;
    return notice.due(progress, StuckNotice::Clock::time_point{} + std::chrono::seconds(seconds));
  }
  machine::GridRecord record;
  machine::Progress progress;
  StuckNotice notice{30};
};

TEST_F(StuckNoticeTest, ComesOnceAfterTheTime) {
  EXPECT_FALSE(at(0, 0));
  EXPECT_FALSE(at(29, 100'000'000));
  EXPECT_TRUE(at(30, 100'000'001));
  EXPECT_FALSE(at(90, 900'000'000));
}

TEST_F(StuckNoticeTest, AnyEndStartsTheTimeAnew) {
  at(0, 0);
  progress.blocks_ended = 1;
  EXPECT_FALSE(at(29, 100'000'000));
  EXPECT_FALSE(at(58, 200'000'000));
  progress.grids_ended = 1;
  EXPECT_FALSE(at(60, 300'000'000));
  EXPECT_FALSE(at(89, 400'000'000));
  EXPECT_TRUE(at(90, 500'000'000));
}

// A simulation that is merely slow.
TEST_F(StuckNoticeTest, FewCyclesAreNotLong) {
  at(0, 0);
  EXPECT_FALSE(at(60, StuckNotice::kCycles - 1));
  EXPECT_TRUE(at(61, StuckNotice::kCycles));
}

TEST_F(StuckNoticeTest, CanBeTurnedOff) {
  notice = StuckNotice(0);
  at(0, 0);
  EXPECT_FALSE(at(100000, 1'000'000'000));
}

}  // namespace
}  // namespace raddle::cuda
