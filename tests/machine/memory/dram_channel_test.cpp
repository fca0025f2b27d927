// Expected ticks are sums of timing parameters, as JEDEC's timing diagrams give them. Here the
// channel has the clock of the requester, so ticks are cycles.
#include "machine/dram/channel.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace raddle::machine {
namespace {

using ::testing::ElementsAre;

// Of the default organisation: 256 bytes in turn to 4 bank groups, rows of 2 KB, 16 banks.
constexpr Address kSameRow = 128;
constexpr Address kNextGroup = 256;
constexpr Address kNextBankOfGroup = 4 * 2048;
constexpr Address kNextRowOfBank = Address{16} * 16 * 2048;  // 16 rows on: the same permutation

class DramChannelTest : public ::testing::Test {
 protected:
  DramChannelTest() {
    config_.path_latency = 1u;
    config_.refi = 1000000u;
  }
  void start() { channel_ = std::make_unique<DramChannel>(config_, ClockRatio(1, 1), stats_); }
  void read(Address address, std::uint32_t id, SectorMask sectors = 1) {
    channel_->send({.address = address, .sectors = sectors, .id = id, .fills = &fills_}, now_);
  }
  void write(Address address) {
    channel_->send({.address = address, .sectors = 1, .write = true}, now_);
  }
  void run(unsigned cycles) {
    while (cycles-- != 0) {
      ++now_;
      channel_->cycle(now_);
      while (fills_.can_receive(now_)) {
        const DramFill fill = fills_.receive();
        order_.push_back(fill.id);
        filled_[fill.id] = now_;
      }
    }
  }
  /// Ticks from sending a read, with nothing else going on, to its fill, less the one to the
  /// scheduler.
  Cycle latency(Address address) {
    const Cycle sent = now_;
    read(address, 1000);
    run(300);
    return filled_.at(1000) - sent - 1;
  }
  std::uint64_t counted(const char* name) const { return total(stats_, "dram", name); }

  ConfigGroup root_{""};
  DramConfig config_{root_, "dram"};
  StatGroup stats_{"gpu"};
  LatencyQueue<DramFill> fills_{256, 1};
  std::unique_ptr<DramChannel> channel_;
  Cycle now_ = 0;
  std::vector<std::uint32_t> order_;
  std::map<std::uint32_t, Cycle> filled_;
};

TEST_F(DramChannelTest, ClosedRowRowHitAndConflictDifferByActivationAndPrecharge) {
  start();
  const Cycle data = config_.cl + config_.burst;
  EXPECT_EQ(latency(0), config_.rcd + data);
  EXPECT_EQ(latency(kSameRow), data);
  EXPECT_EQ(latency(kNextRowOfBank), config_.rp + config_.rcd + data);
  EXPECT_EQ(counted("activations"), 2u);
  EXPECT_EQ(counted("precharges"), 1u);
}

TEST_F(DramChannelTest, WithClosedRowsEveryLoneRequestOpensItsRow) {
  config_.row_policy.set("closed");
  start();
  const Cycle each = config_.rcd + config_.cl + config_.burst;
  EXPECT_EQ(latency(0), each);
  EXPECT_EQ(latency(kSameRow), each);
  EXPECT_EQ(latency(kNextRowOfBank), each);
  EXPECT_EQ(counted("activations"), 3u);
  EXPECT_EQ(counted("precharges"), 3u);
}

TEST_F(DramChannelTest, AClosedRowPolicyKeepsTheRowForRequestsInTheWindow) {
  config_.row_policy.set("closed");
  start();
  read(0, 1);
  read(kSameRow, 2);
  run(300);
  EXPECT_EQ(filled_[2] - filled_[1], config_.ccd_same);
  EXPECT_EQ(counted("activations"), 1u);
  // The bank closes itself when the row has been open for tRAS, and can open again tRP later.
  read(0, 3);
  run(1);
  read(kNextRowOfBank, 4);
  run(300);
  EXPECT_EQ(filled_[4] - filled_[3], config_.rc);
}

TEST_F(DramChannelTest, ABankIsActivatedAgainAfterItsCycleTime) {
  start();
  read(0, 1);
  read(kNextRowOfBank, 2);
  run(300);
  EXPECT_EQ(filled_[2] - filled_[1], config_.rc);  // ras + rp = rc in the default timing
}

TEST_F(DramChannelTest, BurstsOfOneGroupAreFurtherApartThanThoseOfTwo) {
  start();
  latency(0);
  latency(kNextGroup);
  read(0, 1);
  read(kSameRow, 2);
  run(100);
  EXPECT_EQ(filled_[2] - filled_[1], config_.ccd_same);
  read(0, 3);
  read(kNextGroup, 4);
  run(100);
  EXPECT_EQ(filled_[4] - filled_[3], config_.ccd);
}

TEST_F(DramChannelTest, ActivationsOfTwoBanksAreApart) {
  start();
  read(0, 1);
  read(kNextGroup, 2);
  run(100);
  EXPECT_EQ(filled_[2] - filled_[1], config_.rrd);
}

TEST_F(DramChannelTest, FourActivationsInAWindow) {
  config_.faw = 100u;
  start();
  for (std::uint32_t i = 0; i < 4; ++i) read(i * kNextGroup, i);
  read(kNextBankOfGroup, 4);
  run(300);
  EXPECT_EQ(filled_[4] - filled_[0], config_.faw);
}

TEST_F(DramChannelTest, AReadWaitsForWrittenData) {
  start();
  latency(0);
  const Cycle first = now_ + 1;
  write(0);
  read(kSameRow, 1);
  run(200);
  // Whichever goes first: the write is older and equally ready.
  EXPECT_EQ(filled_[1],
            first + config_.wl + config_.burst + config_.wtr + config_.cl + config_.burst);
}

TEST_F(DramChannelTest, ARowStaysOpenForItsTimeAndABankForItsCycle) {
  for (const Cycle rc : {1u, 200u}) {
    config_.rc = static_cast<unsigned>(rc);
    start();
    now_ = 0;
    read(0, 1);
    read(kNextRowOfBank, 2);
    run(600);
    EXPECT_EQ(filled_[2] - filled_[1], std::max<Cycle>(rc, config_.ras + config_.rp));
  }
}

TEST_F(DramChannelTest, ARowIsClosedAfterAReadsTime) {
  start();
  latency(0);
  const Cycle first = now_ + 1;
  read(0, 1);
  read(kNextRowOfBank, 2);
  run(300);
  EXPECT_EQ(filled_[1], first + config_.cl + config_.burst);
  EXPECT_EQ(filled_[2],
            first + config_.rtp + config_.rp + config_.rcd + config_.cl + config_.burst);
}

TEST_F(DramChannelTest, ARowIsClosedWhenWrittenDataIsInIt) {
  start();
  latency(0);
  const Cycle first = now_ + 1;
  write(0);
  read(kNextRowOfBank, 1);
  run(300);
  EXPECT_EQ(filled_[1], first + config_.wl + config_.burst + config_.wr + config_.rp + config_.rcd +
                            config_.cl + config_.burst);
}

TEST_F(DramChannelTest, WrittenDataWaitsUntilTheBusHasTurned) {
  start();
  latency(0);
  const Cycle first = now_ + 1;
  read(0, 1);
  write(kSameRow);
  read(0, 2);
  run(300);
  const Cycle written = filled_[1] + config_.turnaround + config_.burst;  // its data
  EXPECT_EQ(filled_[1], first + config_.cl + config_.burst);
  EXPECT_EQ(filled_[2], written + config_.wtr + config_.cl + config_.burst);
}

TEST_F(DramChannelTest, OneCommandBusCarriesOneCommandATick) {
  for (const bool two : {true, false}) {
    config_.two_command_buses = two;
    start();
    latency(0);
    const Cycle first = now_ + 1;
    read(0, 1);
    read(kNextGroup, 2);
    run(300);
    EXPECT_EQ(filled_[1], first + config_.cl + config_.burst);
    EXPECT_EQ(filled_[2], first + !two + config_.rcd + config_.cl + config_.burst);
  }
}

// Zhang et al., "A permutation-based page interleaving scheme", MICRO 2000.
TEST_F(DramChannelTest, NeighbouringRowsAreOfDifferentBanks) {
  start();
  read(0, 1);
  read(Address{16} * 2048, 2);
  run(300);
  EXPECT_EQ(filled_[2] - filled_[1], config_.rrd);
}

TEST_F(DramChannelTest, RowHitsGoBeforeOlderConflicts) {
  start();
  latency(0);
  order_.clear();
  read(kNextRowOfBank, 1);
  read(kSameRow, 2);
  read(0, 3);
  run(300);
  EXPECT_THAT(order_, ElementsAre(2, 3, 1));
}

TEST_F(DramChannelTest, AStarvedRequestGoesBeforeRowHits) {
  for (const unsigned starvation : {100u, 100000u}) {
    config_.starvation = starvation;
    start();
    filled_.clear();
    const Cycle sent = now_;
    read(0, 0);
    run(1);
    read(kNextRowOfBank, 1);
    for (unsigned i = 0; i < 200; ++i) {
      if (channel_->can_send(1)) read(kSameRow, 2);
      run(4);
    }
    if (starvation == 100) {
      ASSERT_TRUE(filled_.contains(1));
      EXPECT_GE(filled_[1] - sent, 100u);
      EXPECT_LE(filled_[1] - sent, 100u + 100);
    } else {
      EXPECT_FALSE(filled_.contains(1));
    }
    run(3000);
    EXPECT_TRUE(channel_->empty());
    now_ += 1000000;
  }
}

TEST_F(DramChannelTest, ARefreshKeepsTheBanksClosed) {
  config_.refi = 1000u;
  config_.rfc = 60u;
  start();
  now_ = 999;
  EXPECT_EQ(latency(0), config_.rfc + config_.rcd + config_.cl + config_.burst);
  EXPECT_EQ(counted("refreshes"), 1u);
}

TEST_F(DramChannelTest, RefreshesOfASleepingChannelCloseItsRows) {
  config_.refi = 1000u;
  config_.rfc = 60u;
  start();
  latency(0);
  now_ = 5500;
  EXPECT_EQ(latency(0), config_.rcd + config_.cl + config_.burst);
  EXPECT_EQ(counted("refreshes"), 5u);
}

TEST_F(DramChannelTest, AChannelThatWakesAtARefreshWaitsForIt) {
  config_.refi = 1000u;
  config_.rfc = 60u;
  start();
  now_ = 4999;
  EXPECT_EQ(latency(0), config_.rfc + config_.rcd + config_.cl + config_.burst);
  EXPECT_EQ(counted("refreshes"), 5u);
}

TEST_F(DramChannelTest, EfficiencyIsDataTimeOverTimeWithRequests) {
  start();
  read(0, 1, kWholeLine);
  run(1000);
  EXPECT_EQ(counted("busy_cycles"), 4u * config_.burst);
  EXPECT_EQ(counted("pending_cycles"),
            config_.rcd + 3 * config_.ccd_same + config_.cl + config_.burst);
}

TEST_F(DramChannelTest, TheQueueIsBounded) {
  config_.input_queue = 4u;
  start();
  unsigned sent = 0;
  while (channel_->can_send(1)) read(0, sent++);
  EXPECT_EQ(sent, 4u);
  EXPECT_FALSE(channel_->can_send(1));
}

TEST_F(DramChannelTest, RefusesBanksThatAreNoPowerOfTwo) {
  config_.banks = 12u;
  EXPECT_THROW(start(), Error);
}

TEST(ClockRatio, TicksOfSuccessiveCyclesAreAllTicksOnce) {
  const ClockRatio clock(2600, 706 * 2);
  EXPECT_EQ(clock.first_tick(0), 0u);
  EXPECT_EQ(clock.first_tick(1412), 2600u);  // exactly, after any time
  EXPECT_EQ(clock.first_tick(1412'000'000), 2'600'000'000u);
  for (Cycle cycle = 0; cycle < 2000; ++cycle) {
    for (Cycle tick = clock.first_tick(cycle); tick < clock.first_tick(cycle + 1); ++tick) {
      ASSERT_EQ(clock.cycle_of(tick), cycle);
    }
  }
}

}  // namespace
}  // namespace raddle::machine
