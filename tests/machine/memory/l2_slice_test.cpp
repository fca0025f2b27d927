#include "machine/l2/l2_slice.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>

namespace raddle::machine {
namespace {

/// One slice in front of one DRAM channel whose clock is that of the slice.
class L2SliceTest : public ::testing::Test {
 protected:
  L2SliceTest() {
    config_.sets = 1u;
    config_.ways = 2u;
    config_.latency = 20u;
    config_.miss_registers = 2u;
    config_.miss_merges = 2u;
    dram_.path_latency = 1u;
  }
  void start() {
    channel_ = std::make_unique<DramChannel>(dram_, ClockRatio(1, 1), stats_);
    slice_ = std::make_unique<L2Slice>(config_, clock_, 64, 0, map_, *channel_, stats_);
  }
  void send(Packet packet) { slice_->input().send(packet, now_); }
  void send(Address line, SectorMask sectors, AccessType type = AccessType::load) {
    send({.line = line, .sectors = sectors, .type = type});
  }
  void run(unsigned cycles) {
    while (cycles-- != 0) {
      ++now_;
      channel_->cycle(now_);
      slice_->cycle(now_);
      if (slice_->output().can_receive(now_)) {
        slice_->output().receive();
        answered_.push_back(now_);
      }
    }
  }
  /// As run(), but the units sleep until they wake, as in the memory system.
  void run_awake(unsigned cycles) {
    while (cycles-- != 0) {
      ++now_;
      if (channel_->wake() <= now_) channel_->cycle(now_);
      if (slice_->wake() <= now_) slice_->cycle(now_);
      if (slice_->output().can_receive(now_)) {
        slice_->output().receive();
        answered_.push_back(now_);
      }
    }
  }
  void settle() {
    run(500);
    answered_.clear();
  }
  std::uint64_t counted(const char* name) const { return total(stats_, "l2", name); }

  ClockRatio clock_{1, 1};
  AddressMap map_{1, 1, 256, false};
  ConfigGroup root_{""};
  L2Config config_{root_, "l2"};
  DramConfig dram_{root_, "dram"};
  StatGroup stats_{"gpu"};
  std::unique_ptr<DramChannel> channel_;
  std::unique_ptr<L2Slice> slice_;
  Cycle now_ = 0;
  std::vector<Cycle> answered_;
};

/// Lines 0 and 128 are present; two loads of whole lines come at once.
TEST_F(L2SliceTest, ThePortMovesItsBytesInTicksOfItsOwnClock) {
  for (const auto& [ticks, cycles, apart] :
       {std::tuple{1u, 1u, 4u}, std::tuple{1u, 2u, 8u}, std::tuple{2u, 1u, 2u}}) {
    clock_ = ClockRatio(ticks, cycles);
    now_ = 0;
    start();
    for (const Address line : {0, 128}) send(line, kWholeLine);
    settle();
    for (const Address line : {0, 128}) send(line, kWholeLine);
    run_awake(100);
    ASSERT_EQ(answered_.size(), 2u);
    // 128 bytes at 32 a tick.
    EXPECT_EQ(answered_[1] - answered_[0], apart) << ticks << " ticks in " << cycles << " cycles";
    answered_.clear();
  }
}

TEST_F(L2SliceTest, AHitTakesItsLatency) {
  start();
  send(0, 1);
  settle();
  const Cycle taken = now_ + 1;
  send(0, 1);
  run(50);
  ASSERT_EQ(answered_.size(), 1u);
  EXPECT_EQ(answered_[0], taken + config_.latency);
  EXPECT_EQ(counted("hits"), 1u);
  EXPECT_EQ(counted("misses"), 1u);
}

TEST_F(L2SliceTest, AMissTakesTheTimeOfDramMore) {
  start();
  send(0, 1);
  run(200);
  ASSERT_EQ(answered_.size(), 1u);
  // Taken at 1; at the scheduler at 2: activate, read, data; filled then.
  const Cycle filled = 2 + dram_.rcd + dram_.cl + dram_.burst;
  EXPECT_EQ(answered_[0], filled + config_.latency);
}

TEST_F(L2SliceTest, APortMovesItsBytesACycle) {
  start();
  send(0, kWholeLine);
  settle();
  for (unsigned i = 0; i < 3; ++i) send(0, kWholeLine);
  run(60);
  ASSERT_EQ(answered_.size(), 3u);
  EXPECT_EQ(answered_[1] - answered_[0], 4u);  // 128 bytes at 32 per cycle
  EXPECT_EQ(answered_[2] - answered_[1], 4u);
}

TEST_F(L2SliceTest, LoadsOfALineUnderWayMerge) {
  start();
  send(0, 1);
  send(0, 1);
  run(200);
  EXPECT_EQ(answered_.size(), 2u);
  EXPECT_EQ(counted("merged"), 1u);
  EXPECT_EQ(total(stats_, "dram", "reads"), 1u);
}

TEST_F(L2SliceTest, TooManyWaitersBlockButNobodyIsForgotten) {
  start();
  for (unsigned i = 0; i < 5; ++i) send(0, 1);
  run(300);
  EXPECT_EQ(answered_.size(), 5u);
  EXPECT_GT(counted("stall_merges"), 0u);
  EXPECT_EQ(counted("requests"), counted("replies"));
}

TEST_F(L2SliceTest, APacketBlockedWhileAtomicsHoldThePortIsNotForgotten) {
  start();
  for (unsigned i = 0; i < 5; ++i) {
    send({.sectors = 1, .type = AccessType::atomic, .operations = 32, .contention = 32});
  }
  run_awake(600);
  EXPECT_EQ(answered_.size(), 5u);
}

TEST_F(L2SliceTest, StoresDoNotFetchAndAreWrittenBackWhenReplaced) {
  start();
  send(0, 0b0011, AccessType::store);
  settle();
  EXPECT_EQ(total(stats_, "dram", "reads"), 0u);
  for (unsigned i : {1u, 2u}) send(i * kLineBytes, 1);
  settle();
  EXPECT_EQ(total(stats_, "dram", "writes"), 2u);
  EXPECT_EQ(counted("written_back"), 2u);
}

TEST_F(L2SliceTest, StoresLeaveNoMoreLinesDirtyThanMayBe) {
  config_.set("dirty_ways", "1");
  start();
  send(0, 0b0011, AccessType::store);
  settle();
  EXPECT_EQ(counted("cleaned"), 0u);
  send(kLineBytes, 0b0001, AccessType::store);  // of the same set: the first is written back
  settle();
  EXPECT_EQ(counted("cleaned"), 2u);
  EXPECT_EQ(total(stats_, "dram", "writes"), 2u);
  EXPECT_EQ(counted("written_back"), 0u) << "it is still there";
}

// Nobody has written of atomics that they write back: they count, and stores make room one by one.
TEST_F(L2SliceTest, WhatAtomicsLeaveDirtyCountsForStores) {
  config_.set("dirty_ways", "1");
  config_.ways = 4u;
  start();
  for (unsigned i : {0u, 1u}) send(i * kLineBytes, 1, AccessType::atomic);
  settle();
  EXPECT_EQ(counted("cleaned"), 0u) << "two dirty lines, by atomics";
  send(2 * kLineBytes, 0b0111, AccessType::store);
  settle();
  EXPECT_EQ(counted("cleaned"), 1u) << "the sector of line 0, the least recently used";
  send(3 * kLineBytes, 0b0001, AccessType::store);
  settle();
  EXPECT_EQ(counted("cleaned"), 2u) << "that of line 1";
  send(2 * kLineBytes, 0b1000, AccessType::store);  // of a line that is dirty anyway
  send(2 * kLineBytes, 0b0001, AccessType::atomic);
  settle();
  EXPECT_EQ(counted("cleaned"), 2u);
  EXPECT_EQ(counted("written_back"), 0u);
}

TEST_F(L2SliceTest, AReplacedLineIsWrittenToItsOwnPlace) {
  start();
  constexpr Address kOtherRow = Address{16} * 16 * 2048;  // of the same bank
  send(kOtherRow, 1, AccessType::store);
  for (unsigned i : {0u, 1u}) send(i * kLineBytes, 1);
  settle();
  EXPECT_EQ(total(stats_, "dram", "writes"), 1u);
  EXPECT_EQ(total(stats_, "dram", "activations"), 2u) << "the row of the loads, and its own";
}

/// What is stored to sector 0 of line 0, and then the time that a load of it takes.
constexpr Packet kPart{.sectors = 1, .type = AccessType::store};
constexpr Packet kWhole{.sectors = 1, .whole = 1, .type = AccessType::store};

TEST_F(L2SliceTest, ASectorThatWasStoredWholeCanBeRead) {
  start();
  send(kWhole);
  settle();
  const Cycle taken = now_ + 1;
  send(0, 1);
  run(200);
  ASSERT_EQ(answered_.size(), 1u);
  EXPECT_EQ(answered_[0], taken + config_.latency);
  EXPECT_EQ(total(stats_, "dram", "reads"), 0u);
}

TEST_F(L2SliceTest, TheRestOfASectorComesWhenItIsRead) {
  start();
  const Cycle stored = now_ + 1;
  send(kPart);
  run(200);
  ASSERT_EQ(answered_.size(), 1u);
  EXPECT_EQ(answered_[0], stored + config_.latency);
  EXPECT_EQ(total(stats_, "dram", "reads"), 0u);
  answered_.clear();
  const Cycle taken = now_ + 1;
  for (unsigned n = 0; n < 2; ++n) send(0, 1);
  run(200);
  ASSERT_EQ(answered_.size(), 2u);
  EXPECT_EQ(answered_[0], taken + 1 + dram_.rcd + dram_.cl + dram_.burst + config_.latency);
  EXPECT_EQ(total(stats_, "dram", "reads"), 1u);
  for (unsigned i : {1u, 2u}) send(i * kLineBytes, 1);
  settle();
  EXPECT_EQ(counted("written_back"), 1u) << "what was stored is still to be written";
}

TEST_F(L2SliceTest, AStoreFetchesTheRestOfItsSectorWhereStoresFetch) {
  config_.partial_stores.set("fetch");
  start();
  send(kPart);
  run(200);
  ASSERT_EQ(answered_.size(), 1u);
  // As a load that misses.
  EXPECT_EQ(answered_[0], 2 + dram_.rcd + dram_.cl + dram_.burst + config_.latency);
  EXPECT_EQ(counted("store_fetches"), 1u);
  answered_.clear();
  const Cycle taken = now_ + 1;
  send(0, 1);
  run(200);
  EXPECT_EQ(answered_.at(0), taken + config_.latency);
  answered_.clear();
  send(kPart);  // the sector is here
  send({.line = kLineBytes, .sectors = 1, .whole = 1, .type = AccessType::store});
  run(200);
  EXPECT_EQ(answered_.size(), 2u);
  EXPECT_EQ(total(stats_, "dram", "reads"), 1u);
  send(2 * kLineBytes, 1);
  settle();
  EXPECT_EQ(counted("written_back"), 1u);
}

TEST_F(L2SliceTest, StoresToALineUnderWayWaitForIt) {
  config_.partial_stores.set("fetch");
  start();
  send(kPart);
  send(kPart);
  run(200);
  EXPECT_EQ(answered_.size(), 2u);
  EXPECT_EQ(total(stats_, "dram", "reads"), 1u);
  EXPECT_EQ(counted("requests"), counted("replies"));
}

TEST_F(L2SliceTest, AtomicsOnOneAddressTakeTurns) {
  config_.atomic_lanes = 32u;
  config_.atomic_same_interval = 3u;
  config_.atomic_latency = 5u;
  start();
  send(0, 1);
  settle();
  const Cycle taken = now_ + 1;
  const Packet packet{.sectors = 1, .type = AccessType::atomic, .operations = 8, .contention = 8};
  send(packet);
  send(packet);
  run(200);
  ASSERT_EQ(answered_.size(), 2u);
  EXPECT_EQ(answered_[0], taken + config_.latency + 7 * 3 + 5) << "the eighth begins then";
  EXPECT_EQ(answered_[1] - answered_[0], 8u * 3);
  EXPECT_EQ(counted("atomics"), 16u);
}

/// An address that is busy is no reason for others to wait.
TEST_F(L2SliceTest, AtomicsOfOneLaneOnDifferentAddressesFollowOneAnother) {
  config_.atomic_same_interval = 9u;
  start();
  for (unsigned line : {0u, 1u}) send(line * kLineBytes, kWholeLine);
  settle();
  for (unsigned i = 0; i < 4; ++i) {
    send({.line = i / 2 * kLineBytes,
          .sectors = static_cast<SectorMask>(1u << i % 2),
          .type = AccessType::atomic,
          .operations = 1,
          .contention = 1});
  }
  run(200);
  ASSERT_EQ(answered_.size(), 4u);
  EXPECT_EQ(answered_[3] - answered_[0], 3u);
  EXPECT_EQ(counted("atomic_cycles"), 4u);
}

TEST_F(L2SliceTest, AtomicsOfOneLaneOnOneAddressTakeTurns) {
  config_.atomic_same_interval = 9u;
  start();
  send(0, kWholeLine);
  settle();
  const Packet packet{.sectors = 2, .type = AccessType::atomic, .operations = 1, .contention = 1};
  send(packet);
  send(packet);
  run(200);
  ASSERT_EQ(answered_.size(), 2u);
  EXPECT_EQ(answered_[1] - answered_[0], 9u);
}

/// Two packets of three passes, at one and a half ticks each: also when they are for other words.
TEST_F(L2SliceTest, AtomicPassesFollowOneAnother) {
  config_.atomic_pass_interval = 1.5;
  start();
  for (const Address line : {0, 128}) send(line, kWholeLine);
  settle();
  for (const Address line : {0, 128, 0}) {
    send({.line = line,
          .sectors = kWholeLine,
          .type = AccessType::atomic,
          .operations = 4,
          .contention = 1,
          .passes = 3});
  }
  run(200);
  ASSERT_EQ(answered_.size(), 3u);
  EXPECT_EQ(answered_[2] - answered_[0], 9u);
}

/// Of three passes, two have several words: 2 + 1 + 1 ticks.
TEST_F(L2SliceTest, AtomicPassesWithSeveralWordsHaveTheirOwnInterval) {
  config_.atomic_pass_interval = 2.0;
  config_.atomic_wide_interval = 1.0;
  start();
  send(0, kWholeLine);
  settle();
  for (int packet = 0; packet < 2; ++packet) {
    send({.sectors = kWholeLine,
          .type = AccessType::atomic,
          .operations = 8,
          .contention = 2,
          .passes = 3,
          .wide_passes = 2});
  }
  run(200);
  ASSERT_EQ(answered_.size(), 2u);
  EXPECT_EQ(answered_[1] - answered_[0], 4u);
}

TEST_F(L2SliceTest, AMissBringsWhatLiesBesideIt) {
  config_.fetch_sectors = 2u;
  start();
  send(0, 0b0100);
  settle();
  EXPECT_EQ(total(stats_, "dram", "reads"), 2u);
  send(0, 0b1000);
  settle();
  EXPECT_EQ(total(stats_, "dram", "reads"), 2u) << "it was brought";
  send(0, 0b0001);
  settle();
  EXPECT_EQ(total(stats_, "dram", "reads"), 4u);
  EXPECT_EQ(counted("load_misses"), 2u) << "what was asked for";
}

TEST_F(L2SliceTest, AtomicsOnDifferentAddressesShareTheLanes) {
  config_.atomic_lanes = 4u;
  start();
  send(0, kWholeLine);
  settle();
  const Packet packet{
      .sectors = kWholeLine, .type = AccessType::reduction, .operations = 32, .contention = 1};
  send(packet);
  send(packet);
  run(200);
  ASSERT_EQ(answered_.size(), 2u);
  EXPECT_EQ(answered_[1] - answered_[0], 32u / 4);
}

}  // namespace
}  // namespace raddle::machine
