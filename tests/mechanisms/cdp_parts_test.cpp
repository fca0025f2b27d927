// Streams of device code, memory of launches, and the state of blocks, each by itself (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism").
#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "mechanisms/cdp/last_errors.h"
#include "mechanisms/cdp/launch_limit.h"
#include "mechanisms/cdp/parameter_pool.h"
#include "mechanisms/cdp/stats.h"
#include "mechanisms/cdp/streams.h"

namespace raddle::mechanisms::cdp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StreamsTest : public testing::Test {
 protected:
  /// Work that notes its number when it starts.
  void submit(StreamId stream, int number) {
    Work work;
    work.start = [this, number](StreamId) { started_.push_back(number); };
    streams_.submit(stream, std::move(work));
  }

  Streams streams_;
  std::vector<int> started_;
};

TEST_F(StreamsTest, WorkOfAStreamRunsOneAfterTheOtherAndThatOfTwoSideBySide) {
  const StreamId a = streams_.create(), b = streams_.create();
  submit(a, 1);
  submit(a, 2);
  submit(b, 3);
  EXPECT_THAT(started_, ElementsAre(1, 3));
  streams_.ended(a);
  EXPECT_THAT(started_, ElementsAre(1, 3, 2));
}

TEST_F(StreamsTest, AStreamWaitsForWhatWasBeforeTheEvent) {
  const StreamId a = streams_.create(), b = streams_.create();
  const EventId event = streams_.create_event();
  submit(a, 1);
  streams_.record(event, a);
  submit(a, 2);
  streams_.wait(b, event);
  submit(b, 3);
  EXPECT_THAT(started_, ElementsAre(1));
  streams_.ended(a);
  EXPECT_THAT(started_, ElementsAre(1, testing::AnyOf(2, 3), testing::AnyOf(2, 3)));
}

TEST_F(StreamsTest, AnEventThatWasNeverRecordedHoldsNothingUp) {
  const StreamId a = streams_.create();
  streams_.wait(a, streams_.create_event());
  submit(a, 1);
  EXPECT_THAT(started_, ElementsAre(1));
}

TEST_F(StreamsTest, ADestroyedStreamStillDoesItsWork) {
  const StreamId a = streams_.create();
  submit(a, 1);
  submit(a, 2);
  streams_.destroy(a);
  EXPECT_FALSE(streams_.accepts(a));
  streams_.ended(a);
  EXPECT_THAT(started_, ElementsAre(1, 2));
}

struct ParameterPoolTest : testing::Test {
  memory::AddressSpace space{1 << 24};
  StatGroup root{"test"};
  CdpStats stats{root, "cdp"};
  ParameterPool pool{space, 64, stats.footprint_peak};
};

TEST_F(ParameterPoolTest, ABufferThatIsGivenBackIsUsedAgainForItsSize) {
  const Address first = pool.allocate(100, 0), second = pool.allocate(100, 0);
  EXPECT_GE(second, first + 128 + 64) << "its bytes, aligned, and its record";
  EXPECT_EQ(first % ParameterPool::kAlignment, 0u);
  pool.free(first);
  EXPECT_EQ(pool.used(), 128u);
  const Address larger = pool.allocate(200, 0);
  EXPECT_NE(larger, first);
  EXPECT_EQ(pool.allocate(100, 0), first);
}

TEST_F(ParameterPoolTest, KernelsReachABufferUntilItIsLaunched) {
  const Address buffer = pool.allocate(64, 0);
  EXPECT_EQ(pool.open(buffer + 63).base, buffer);
  EXPECT_EQ(pool.open(buffer + 63).end, buffer + 64);
  EXPECT_EQ(pool.open(buffer + 64).end, 0u) << "its record";
  pool.close(buffer);
  EXPECT_EQ(pool.open(buffer).end, 0u);
}

struct BlocksTest : testing::Test {
  isa::GridContext grid, other_grid;
  isa::BlockContext first, second, of_other;
  BlocksTest() {
    grid.grid = other_grid.grid = {2, 2, 1};
    first.grid = second.grid = &grid;
    of_other.grid = &other_grid;
    second.index = {0, 1, 0};
  }
};

TEST_F(BlocksTest, EachBlockOfEachGridHasItsOwnUntilItEnds) {
  PerBlock<int> values;
  values.of(first) = 1;
  values.of(second) = 2;
  values.of(of_other) = 3;
  EXPECT_EQ(values.of(first), 1);
  EXPECT_EQ(values.take(second), 2);
  EXPECT_EQ(values.take(second), std::nullopt);
  EXPECT_EQ(values.of(second), 0) << "of a block that comes there later";
  EXPECT_EQ(values.of(of_other), 3);
}

TEST_F(BlocksTest, AThreadsLastErrorStaysUntilItIsFetched) {
  LastErrors errors;
  errors.set(first, 3, Error::invalid_value);
  EXPECT_EQ(errors.of(first, 3), Error::invalid_value);
  EXPECT_EQ(errors.of(first, 4), Error::success);
  EXPECT_EQ(errors.of(second, 3), Error::success);
  errors.clear(first, 3);
  EXPECT_EQ(errors.of(first, 3), Error::success);
}

TEST(LaunchLimit, HoldsUntilALaunchHasEnded) {
  LaunchLimit limit(2);
  limit.take();
  EXPECT_FALSE(limit.full());
  limit.take();
  EXPECT_TRUE(limit.full());
  limit.release();
  EXPECT_FALSE(limit.full());
  limit.set(1);
  EXPECT_TRUE(limit.full());
}

}  // namespace
}  // namespace raddle::mechanisms::cdp
