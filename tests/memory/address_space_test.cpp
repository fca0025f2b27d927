#include "memory/address_space.h"

#include <gtest/gtest.h>

#include <cstring>

namespace raddle::memory {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;

TEST(AddressSpace, AllocationsAreAlignedZeroedAndApart) {
  AddressSpace space(64 * kMegabyte);
  const Address a = space.allocate(100, Kind::device, "a");
  const Address b = space.allocate(100, Kind::device, "b");
  EXPECT_EQ(a % 256, 0u);
  EXPECT_GE(b, a + 100);
  EXPECT_EQ(std::to_integer<int>(*space.values(a + 99, 1)), 0);
}

TEST(AddressSpace, TheSameCallsGiveTheSameAddressesInEverySimulation) {
  Address first;
  {
    AddressSpace space(kMegabyte);
    first = space.allocate(5000, Kind::device, "a");
  }
  AddressSpace space(kMegabyte);
  EXPECT_EQ(space.allocate(5000, Kind::device, "a"), first);
}

TEST(AddressSpace, AFullDeviceRefusesMore) {
  AddressSpace space(kMegabyte);
  EXPECT_NE(space.allocate(kMegabyte, Kind::device, "all"), 0u);
  EXPECT_EQ(space.allocate(1, Kind::device, "more"), 0u);
}

TEST(AddressSpace, FreedMemoryCanBeAllocatedAgainAndReadsAsZero) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(kMegabyte, Kind::device, "a");
  std::memset(space.values(a, kMegabyte), 0xff, kMegabyte);
  EXPECT_EQ(space.free(a), AddressSpace::FreeResult::freed);
  const Address b = space.allocate(kMegabyte, Kind::device, "b");
  ASSERT_EQ(b, a);
  EXPECT_EQ(std::to_integer<int>(*space.values(b + kMegabyte / 2, 1)), 0);
  EXPECT_EQ(std::to_integer<int>(*space.values(b, 1)), 0);
}

TEST(AddressSpace, AnAccessMustLieWithinOneAllocation) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(100, Kind::device, "a");
  EXPECT_NE(space.values(a + 96, 4), nullptr);
  EXPECT_EQ(space.values(a + 97, 4), nullptr);
  EXPECT_EQ(space.values(a - 1, 1), nullptr);
}

TEST(AddressSpace, FreeTellsWhyItCannot) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(100, Kind::device, "a");
  EXPECT_EQ(space.free(a + 4), AddressSpace::FreeResult::not_an_allocation);
  space.free(a);
  EXPECT_EQ(space.free(a), AddressSpace::FreeResult::freed_before);
}

TEST(AddressSpace, AFreedAllocationIsRememberedUntilItsPlaceIsTaken) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(100, Kind::device, "old");
  space.free(a);
  ASSERT_NE(space.find(a + 5), nullptr);
  EXPECT_TRUE(space.find(a + 5)->freed);
  EXPECT_EQ(space.values(a, 4), nullptr);
  space.allocate(50, Kind::device, "new");
  EXPECT_EQ(space.find(a)->name, "new");
}

TEST(AddressSpace, NearestFindsTheAllocationBeforeAStrayAddress) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(256, Kind::device, "a");
  space.allocate(256, Kind::device, "b");
  const Address far = space.allocate(256, Kind::device, "c");
  space.free(a + 256);
  EXPECT_EQ(space.nearest(a + 256 + 3)->name, "a");
  EXPECT_EQ(space.nearest(far + 100000)->name, "c");
}

TEST(AddressSpace, HostPointersAndManagedAddressesAreTheSame) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate_shared_with_host(4096, Kind::managed, "m");
  *reinterpret_cast<int*>(a) = 42;
  int seen = 0;
  std::memcpy(&seen, space.values(a, 4), 4);
  EXPECT_EQ(seen, 42);
}

TEST(AddressSpace, RegisteredHostMemoryMayNotOverlap) {
  AddressSpace space(kMegabyte);
  static char memory[8192];
  EXPECT_TRUE(space.register_host(memory, 8192));
  EXPECT_FALSE(space.register_host(memory + 100, 10));
  EXPECT_TRUE(space.unregister_host(memory));
  EXPECT_FALSE(space.unregister_host(memory));
}

TEST(AddressSpace, EveryChangeMakesANewEpoch) {
  AddressSpace space(kMegabyte);
  const auto before = space.epoch();
  const Address a = space.allocate(10, Kind::device, "a");
  const auto between = space.epoch();
  space.free(a);
  EXPECT_NE(before, between);
  EXPECT_NE(between, space.epoch());
}

}  // namespace
}  // namespace raddle::memory
