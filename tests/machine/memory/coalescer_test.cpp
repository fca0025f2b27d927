// Expected transactions are derived by hand from the CUDA C Programming Guide's rules: a warp's
// accesses become as many transactions as 128-byte lines are touched; accesses of 8 and 16 bytes
// are split into half and quarter warps first (Compute Capability 2.x); sectors are 32 bytes
// (Compute Capability 3.x, 5.x).
#include "machine/coalescer/coalescer.h"

#include <gtest/gtest.h>

#include "base/stats.h"
#include "isa/form.h"
#include "machine/coalescer/config.h"

namespace raddle::machine {
namespace {

class CoalescerTest : public ::testing::Test {
 protected:
  /// Lane i accesses `bytes` at base + i * stride.
  void strided(Address base, Address stride, unsigned bytes, LaneMask lanes = kAllLanes) {
    access_.space = isa::MemoryAccess::Space::global;
    access_.bytes = static_cast<std::uint8_t>(bytes);
    access_.lanes = lanes;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) access_.address[lane] = base + lane * stride;
    made_ = coalescer_.coalesce(access_, transactions_);
  }
  std::uint64_t sectors() const {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < made_; ++i) sum += count(transactions_[i].sectors);
    return sum;
  }

  ConfigGroup root_{""};
  CoalescerConfig config_{root_, "coalescer"};
  StatGroup stats_{"sm"};
  Coalescer coalescer_{config_, stats_};
  isa::MemoryAccess access_;
  Transaction transactions_[kWarpSize];
  unsigned made_ = 0;
};

TEST_F(CoalescerTest, ConsecutiveAlignedWordsAreOneLine) {
  strided(0x1000, 4, 4);
  ASSERT_EQ(made_, 1u);
  EXPECT_EQ(transactions_[0].line, 0x1000u);
  EXPECT_EQ(transactions_[0].sectors, kWholeLine);
}

TEST_F(CoalescerTest, ASectorIsWholeWhenEveryByteIsStored) {
  access_.type = AccessType::store;
  strided(0x1000, 4, 4, 0x0000fffe);  // bytes 4 ... 63
  ASSERT_EQ(made_, 1u);
  EXPECT_EQ(transactions_[0].sectors, 0b0011);
  EXPECT_EQ(transactions_[0].whole, 0b0010);
  strided(0x1000, 0, 4);  // all lanes store the same word
  EXPECT_EQ(transactions_[0].whole, 0);
}

TEST_F(CoalescerTest, MisalignedWordsTouchTheNextLine) {
  strided(0x1000 + 32, 4, 4);  // bytes 32 ... 159
  ASSERT_EQ(made_, 2u);
  EXPECT_EQ(transactions_[0].sectors, 0b1110);
  EXPECT_EQ(transactions_[1].line, 0x1080u);
  EXPECT_EQ(transactions_[1].sectors, 0b0001);
}

TEST_F(CoalescerTest, ALineForEachMultipleOfTheStride) {
  const struct {
    unsigned stride_words, lines, sectors;
  } cases[] = {{1, 1, 4}, {2, 2, 8}, {3, 3, 12}, {4, 4, 16}, {8, 8, 32}, {32, 32, 32}};
  for (const auto& c : cases) {
    strided(0, 4 * c.stride_words, 4);
    EXPECT_EQ(made_, c.lines) << "stride " << c.stride_words;
    EXPECT_EQ(sectors(), c.sectors) << "stride " << c.stride_words;
  }
}

TEST_F(CoalescerTest, OneAddressIsOneSector) {
  strided(0x1044, 0, 4);
  ASSERT_EQ(made_, 1u);
  EXPECT_EQ(transactions_[0].sectors, 0b0100);
}

TEST_F(CoalescerTest, BytesOfAWarpAreOneSector) {
  strided(0x1000, 1, 1);
  ASSERT_EQ(made_, 1u);
  EXPECT_EQ(transactions_[0].sectors, 0b0001);
}

TEST_F(CoalescerTest, EightByteAccessesGoAsHalfWarps) {
  strided(0x1000, 8, 8);
  EXPECT_EQ(made_, 2u);
  strided(0x1000, 0, 8);  // one address, but two requests
  EXPECT_EQ(made_, 2u);
}

TEST_F(CoalescerTest, SixteenByteAccessesGoAsQuarterWarps) {
  strided(0x1000, 16, 16);
  EXPECT_EQ(made_, 4u);
  EXPECT_EQ(sectors(), 16u);
}

TEST_F(CoalescerTest, AWholeWarpIsComparedWhereTheRequestIsWide) {
  config_.request_bytes = 1024u;
  StatGroup stats{"sm"};
  Coalescer whole(config_, stats);
  strided(0x1000, 0, 8);
  EXPECT_EQ(whole.coalesce(access_, transactions_), 1u);
}

TEST_F(CoalescerTest, InactiveLanesTouchNothing) {
  strided(0, 128, 4, 0x80000001u);
  ASSERT_EQ(made_, 2u);
  EXPECT_EQ(transactions_[0].line, 0u);
  EXPECT_EQ(transactions_[1].line, 31u * 128);
  strided(0, 128, 4, 0);
  EXPECT_EQ(made_, 0u);
}

TEST_F(CoalescerTest, TransactionsComeInOrderOfTheirLowestLane) {
  strided(31 * 128, static_cast<Address>(-128), 4);
  ASSERT_EQ(made_, 32u);
  for (unsigned i = 0; i < made_; ++i) EXPECT_EQ(transactions_[i].line, (31 - i) * 128);
}

TEST_F(CoalescerTest, AtomicsTellHowManyLanesMeetOnAnAddress) {
  access_.type = AccessType::atomic;
  strided(0x1000, 4, 4);
  EXPECT_EQ(transactions_[0].operations, 32);
  EXPECT_EQ(transactions_[0].contention, 1);
  strided(0x1000, 0, 4, 0xffffu);
  EXPECT_EQ(transactions_[0].operations, 16);
  EXPECT_EQ(transactions_[0].contention, 16);
}

/// Three lanes on one word, two on another of its sector, one alone in the next: 3 + 1 passes, two of them wide.
TEST_F(CoalescerTest, AtomicPassesOfASectorTakeEachWordOnce) {
  access_.type = AccessType::atomic;
  strided(0x1000, 0, 4, 0b111u);
  access_.lanes = 0b11'1111;
  access_.address[3] = access_.address[4] = 0x1004;
  access_.address[5] = 0x1020;
  made_ = coalescer_.coalesce(access_, transactions_);
  ASSERT_EQ(made_, 1u);
  EXPECT_EQ(transactions_[0].passes, 4);
  EXPECT_EQ(transactions_[0].wide_passes, 2);
}

TEST_F(CoalescerTest, FlagsOfTheAccessAreKept) {
  access_.cache = static_cast<std::uint8_t>(isa::CacheOperator::nc);
  access_.bypass_l1 = true;
  strided(0, 4, 4);
  EXPECT_TRUE(transactions_[0].read_only);
  EXPECT_TRUE(transactions_[0].bypass_l1);
  EXPECT_FALSE(transactions_[0].local);
}

TEST_F(CoalescerTest, CountsRequestsTransactionsAndSectors) {
  strided(0, 8, 4);
  strided(0, 4, 4);
  EXPECT_EQ(total(stats_, "coalescer", "requests"), 2u);
  EXPECT_EQ(total(stats_, "coalescer", "transactions"), 3u);
  EXPECT_EQ(total(stats_, "coalescer", "sectors"), 12u);
}

}  // namespace
}  // namespace raddle::machine
