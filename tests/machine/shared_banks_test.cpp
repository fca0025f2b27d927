// Expected passes: the bank rules of the CUDA C Programming Guide, by hand.
#include "machine/load_store/shared_banks.h"

#include <gtest/gtest.h>

#include <functional>

namespace raddle::machine {
namespace {

isa::MemoryAccess access(unsigned bytes, const std::function<Address(unsigned)>& address,
                         LaneMask lanes = kAllLanes) {
  isa::MemoryAccess access;
  access.space = isa::MemoryAccess::Space::shared;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.lanes = lanes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) access.address[lane] = address(lane);
  return access;
}

unsigned passes_of_stride(unsigned words, unsigned bank_bytes = 4) {
  return shared_passes(access(4, [=](unsigned lane) { return 4 * words * lane; }), bank_bytes);
}

TEST(SharedBanks, StridesOfFourByteBanks) {
  EXPECT_EQ(passes_of_stride(0), 1u);  // broadcast
  EXPECT_EQ(passes_of_stride(1), 1u);
  EXPECT_EQ(passes_of_stride(2), 2u);
  EXPECT_EQ(passes_of_stride(3), 1u);  // odd strides meet every bank once
  EXPECT_EQ(passes_of_stride(8), 8u);
  EXPECT_EQ(passes_of_stride(31), 1u);
  EXPECT_EQ(passes_of_stride(32), 32u);
  EXPECT_EQ(passes_of_stride(33), 1u);
}

TEST(SharedBanks, EightByteBanksServeStrideTwo) {
  EXPECT_EQ(passes_of_stride(1, 8), 1u);
  EXPECT_EQ(passes_of_stride(2, 8), 1u);
  EXPECT_EQ(passes_of_stride(4, 8), 2u);
  EXPECT_EQ(passes_of_stride(32, 8), 16u);
  EXPECT_EQ(passes_of_stride(64, 8), 32u);
}

// CUDA C Programming Guide, "Compute Capability 3.x", 32-bit mode: words i and j of one aligned
// stretch of 64 words do not conflict when j = i + 32.
TEST(SharedBanks, FourByteModeOfEightByteBanks) {
  const auto passes = [](unsigned bytes, unsigned words_apart, unsigned first = 0) {
    return shared_passes(
        access(bytes, [=](unsigned lane) { return 4 * (first + words_apart * lane); }), 8, false,
        4);
  };
  EXPECT_EQ(passes(4, 1), 1u);
  EXPECT_EQ(passes(4, 2), 1u);      // pairs 32 words apart
  EXPECT_EQ(passes(4, 2, 32), 2u);  // the same pairs in two stretches of 64
  EXPECT_EQ(passes(4, 3), 1u);
  EXPECT_EQ(passes(4, 32), 16u);
  EXPECT_EQ(passes(4, 64), 32u);
  EXPECT_EQ(passes(8, 2), 1u);   // 64 words of one stretch
  EXPECT_EQ(passes(16, 4), 2u);  // half a warp a pass
  // Even words of one stretch, odd ones of the next: the same rows of 8 bytes, other banks of 4.
  const auto apart = [](unsigned lane) {
    return Address{4} * (lane < 16 ? 2 * lane : 64 + 2 * (lane - 16) + 1);
  };
  EXPECT_EQ(shared_passes(access(4, apart), 8, false, 4), 1u);
  EXPECT_EQ(shared_passes(access(4, apart), 8, false, 8), 2u);
}

TEST(SharedBanks, WideAccessesGoInParts) {
  const auto wide = [](unsigned bytes, unsigned bank_bytes) {
    return shared_passes(access(bytes, [=](unsigned lane) { return bytes * lane; }), bank_bytes);
  };
  EXPECT_EQ(wide(8, 4), 2u);
  EXPECT_EQ(wide(16, 4), 4u);
  EXPECT_EQ(wide(8, 8), 1u);
  EXPECT_EQ(wide(16, 8), 2u);
}

// CUDA C Programming Guide, "Compute Capability 2.x": conflicts of 64-bit accesses arise within a
// half warp. Each half meets twice in a bank of its own.
TEST(SharedBanks, EachHalfOfAWideAccessHasItsOwnConflicts) {
  const auto halves = [](unsigned lane) { return Address{lane < 16 ? 0u : 8u} + lane % 2 * 128; };
  EXPECT_EQ(shared_passes(access(8, halves), 4), 4u);
}

// ldmatrix: eight lanes address the rows of a matrix, 16 bytes each.
TEST(SharedBanks, MatricesOfEightRows) {
  const auto rows = [](unsigned bytes_apart, LaneMask lanes) {
    return shared_passes(access(16, [=](unsigned lane) { return bytes_apart * lane; }, lanes), 4);
  };
  EXPECT_EQ(rows(16, 0xff), 1u);
  EXPECT_EQ(rows(16, kAllLanes), 4u);
  EXPECT_EQ(rows(80, kAllLanes), 4u);   // 20 words: rows of a padded tile
  EXPECT_EQ(rows(128, 0xff), 8u);       // all rows in the same banks
  EXPECT_EQ(rows(64, kAllLanes), 16u);  // two rows side by side
}

// NVIDIA developer forum 77228: from compute capability 7.0 on a load of 128 bits takes 2 requests
// in place of 4 if all active lanes n and n^1, or all active lanes n and n^2, agree.
TEST(SharedBanks, LanesInPairsHalveWideLoads) {
  const auto passes = [](unsigned bytes, auto address, LaneMask lanes = kAllLanes) {
    return shared_passes(access(bytes, address, lanes), 4, true);
  };
  EXPECT_EQ(passes(16, [](unsigned) { return 0u; }), 2u);
  EXPECT_EQ(passes(16, [](unsigned lane) { return lane / 2 * 16; }), 2u);
  EXPECT_EQ(passes(16, [](unsigned lane) { return (lane / 4 * 2 + lane % 2) * 16; }), 2u);
  EXPECT_EQ(passes(16, [](unsigned lane) { return lane / 16 * 16; }), 2u) << "half warps";
  EXPECT_EQ(passes(16, [](unsigned lane) { return lane * 16; }), 4u);
  EXPECT_EQ(passes(16, [](unsigned lane) { return lane % 8 * 16; }), 4u) << "lanes n and n^8";
  EXPECT_EQ(passes(
                16, [](unsigned lane) { return lane * 16; }, 0x55555555u),
            4u)
      << "lanes n and n^2 differ";
  EXPECT_EQ(passes(
                16, [](unsigned lane) { return lane / 4 * 16; }, 0x11111111u),
            2u)
      << "no active lane has a partner";
  EXPECT_EQ(passes(8, [](unsigned lane) { return lane / 2 * 8; }), 1u);
  EXPECT_EQ(passes(8, [](unsigned lane) { return lane * 8; }), 2u);
  EXPECT_EQ(passes(4, [](unsigned lane) { return lane * 128; }), 32u) << "as ever";
  isa::MemoryAccess store = access(16, [](unsigned) { return 0u; });
  store.type = isa::MemoryAccess::Type::store;
  EXPECT_EQ(shared_passes(store, 4, true), 4u) << "it returns nothing";
}

TEST(SharedBanks, NarrowLanesShareWords) {
  EXPECT_EQ(shared_passes(access(1, [](unsigned lane) { return lane; }), 4), 1u);
  EXPECT_EQ(shared_passes(access(2, [](unsigned lane) { return 2 * lane; }), 4), 1u);
}

TEST(SharedBanks, OnlyActiveLanesCount) {
  const auto column = [](unsigned lane) { return Address{128} * lane; };
  EXPECT_EQ(shared_passes(access(4, column, 0x1), 4), 1u);
  EXPECT_EQ(shared_passes(access(4, column, 0x7), 4), 3u);
  EXPECT_EQ(shared_passes(access(4, column, 0), 4), 1u);
}

TEST(SharedBanks, TwoLanesOfOneWordAreNoConflict) {
  // Words 0 and 32 are of bank 0; sixteen lanes want each.
  const auto halves = [](unsigned lane) { return lane < 16 ? Address{0} : Address{128}; };
  EXPECT_EQ(shared_passes(access(4, halves), 4), 2u);
}

TEST(SharedBanks, AtomicsOnOneWordTakeTurnsUnlessTheyAreJoined) {
  isa::MemoryAccess same = access(4, [](unsigned) { return Address{0}; });
  same.type = isa::MemoryAccess::Type::atomic;
  EXPECT_EQ(shared_passes(same, 4), 32u);
  same.joined = true;
  EXPECT_EQ(shared_passes(same, 4), 1u);
  isa::MemoryAccess apart = access(4, [](unsigned lane) { return Address{4} * lane; });
  apart.type = isa::MemoryAccess::Type::atomic;
  EXPECT_EQ(shared_passes(apart, 4), 1u);
  isa::MemoryAccess one_bank = access(4, [](unsigned lane) { return Address{128} * (lane % 4); });
  one_bank.type = isa::MemoryAccess::Type::atomic;
  one_bank.joined = true;
  EXPECT_EQ(shared_passes(one_bank, 4), 4u) << "words of one bank still conflict";
}

}  // namespace
}  // namespace raddle::machine
