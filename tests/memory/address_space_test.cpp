#include "memory/address_space.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

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
  AddressSpace space(kMegabyte, {0, 0});
  const Address a = space.allocate(kMegabyte, Kind::device, "a");
  std::memset(space.values(a, kMegabyte), 0xff, kMegabyte);
  EXPECT_EQ(space.free(a), AddressSpace::FreeResult::freed);
  const Address b = space.allocate(kMegabyte, Kind::device, "b");
  ASSERT_EQ(b, a);
  EXPECT_EQ(std::to_integer<int>(*space.values(b + kMegabyte / 2, 1)), 0);
  EXPECT_EQ(std::to_integer<int>(*space.values(b, 1)), 0);
}

TEST(AddressSpace, BehindEachAllocationOfAnySizeLiesAGuard) {
  for (const Kind kind : {Kind::device, Kind::module, Kind::constant, Kind::device_heap}) {
    AddressSpace space(512 * kMegabyte);
    for (const std::uint64_t bytes : {1ul, 255ul, 256ul, 4096ul, 65536ul, kMegabyte, 3333333ul}) {
      const Address a = space.allocate(bytes, kind, "a");
      const Address b = space.allocate(bytes, kind, "b");
      const std::uint64_t guard = std::min(std::max(bytes, 256ul), 65536ul);
      EXPECT_GE(b, a + bytes + guard) << bytes;
      EXPECT_EQ(space.find(a + bytes + guard - 1), nullptr) << bytes;
    }
  }
}

TEST(AddressSpace, MemoryOfTheHostHasGuardsToo) {
  for (const Kind kind : {Kind::managed, Kind::host}) {
    AddressSpace space(kMegabyte);
    const Address a = space.allocate_shared_with_host(4096, kind, "a");
    const Address b = space.allocate_shared_with_host(4096, kind, "b");
    EXPECT_GE(b, a + 8192);
  }
}

TEST(AddressSpace, FreedAddressesAreNotUsedAgainUntilTheQuarantineIsFull) {
  AddressSpace space(64 * kMegabyte, {256, 4 * kMegabyte});
  const Address first = space.allocate(kMegabyte, Kind::device, "first");
  space.free(first);
  for (int n = 0; n < 3; ++n) {
    const Address next = space.allocate(kMegabyte, Kind::device, "next");
    EXPECT_NE(next, first);
    space.free(next);
  }
  ASSERT_NE(space.find(first), nullptr);
  EXPECT_TRUE(space.find(first)->freed);
  // Four of them with their guards are more than it holds: the oldest has gone.
  EXPECT_EQ(space.allocate(kMegabyte, Kind::device, "again"), first);
}

TEST(AddressSpace, TheLatestFreedAllocationKeepsItsAddressesHoweverLarge) {
  AddressSpace space(64 * kMegabyte, {256, kMegabyte});
  const Address first = space.allocate(32 * kMegabyte, Kind::device, "first");
  space.free(first);
  EXPECT_NE(space.allocate(32 * kMegabyte, Kind::device, "next"), first);
}

TEST(AddressSpace, ANearlyFullDeviceFreesAndAllocatesAgainAndAgain) {
  AddressSpace space(64 * kMegabyte);
  for (std::uint64_t n = 0; n < 200; ++n) {
    const std::uint64_t bytes = (60 - n % 7) * kMegabyte + n * 256;
    const Address a = space.allocate(bytes, Kind::device, "a");
    ASSERT_NE(a, 0u) << n;
    EXPECT_EQ(space.used(), bytes);
    *space.values(a + bytes - 1, 1) = std::byte{1};
    ASSERT_EQ(space.free(a), AddressSpace::FreeResult::freed);
    EXPECT_EQ(space.used(), 0u);
  }
}

TEST(AddressSpace, AllOfTheDeviceCanBeHadInPiecesOfOnePage) {
  AddressSpace space(8 * kMegabyte);
  for (int round = 0; round < 3; ++round) {
    std::vector<Address> pieces;
    for (std::uint64_t n = 0; n < 8 * kMegabyte / 4096; ++n) {
      pieces.push_back(space.allocate(4096, Kind::device, "piece"));
      ASSERT_NE(pieces.back(), 0u) << n;
    }
    EXPECT_EQ(space.allocate(1, Kind::device, "more"), 0u);
    for (const Address piece : pieces) space.free(piece);
  }
}

TEST(AddressSpace, TheRuntimesOwnMemoryComesBackAtOnce) {
  AddressSpace space(kMegabyte);
  const Address a = space.allocate(8, Kind::runtime, "grid.sync()");
  space.free(a);
  EXPECT_EQ(space.allocate(8, Kind::runtime, "grid.sync()"), a);
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
  AddressSpace space(kMegabyte, {256, 0});
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
  const Address b = space.allocate(256, Kind::device, "b");
  const Address far = space.allocate(256, Kind::device, "c");
  space.free(b);
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

// Of registered memory the program takes a part away: the rest stays, what is gone is remembered, and all
// of it is unregistered by its start.
TEST(AddressSpace, RegisteredMemoryThatTheHostTakesAway) {
  AddressSpace space(kMegabyte);
  alignas(4096) static std::byte memory[8 * 4096];
  const Address base = reinterpret_cast<Address>(memory);
  constexpr std::uint64_t kPage = 4096;
  const auto parts = [&] {
    std::string text;  // of each page
    for (int page = 0; page < 8; ++page) {
      const Allocation* found = space.find(base + page * kPage);
      text += found == nullptr ? '-' : found->freed ? 'x' : 'r';
    }
    return text;
  };
  const Address device = space.allocate(100, Kind::device, "device");
  ASSERT_TRUE(space.register_host(memory, 8 * kPage));
  space.host_unmapped(base + 2 * kPage, kPage);
  EXPECT_EQ(parts(), "rrxrrrrr");
  EXPECT_EQ(space.values(base + 3 * kPage, 1), memory + 3 * kPage);
  EXPECT_EQ(space.values(base + 2 * kPage, 1), nullptr);
  space.host_unmapped(base + kPage, 4 * kPage);  // of both that are left, and what is gone
  EXPECT_EQ(parts(), "rxxxxrrr");
  space.host_unmapped(base - kPage, 2 * kPage);  // its start
  EXPECT_EQ(parts(), "xxxxxrrr");
  space.host_unmapped(device, 4096);  // is no memory of the host's
  EXPECT_NE(space.values(device, 100), nullptr);
  EXPECT_FALSE(space.register_host(memory, 8 * kPage));         // a part is there still
  EXPECT_TRUE(space.register_host(memory + 2 * kPage, kPage));  // what is there now
  EXPECT_EQ(parts(), "xxrxxrrr");
  EXPECT_TRUE(space.unregister_host(memory));
  EXPECT_EQ(parts(), "--r-----");
  EXPECT_TRUE(space.unregister_host(memory + 2 * kPage));
  EXPECT_FALSE(space.unregister_host(memory));
  EXPECT_TRUE(space.register_host(memory, 8 * kPage));
}

/// Runs `body` in a process of its own that may have `bytes` of address space beyond what it has;
/// its exit code.
int with_little_address_space(std::uint64_t bytes, int (*body)()) {
  const pid_t child = fork();
  if (child == 0) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit limit{pages * 4096 + bytes, RLIM_INFINITY};
    _exit(setrlimit(RLIMIT_AS, &limit) == 0 ? body() : 100);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_WITH_SANITIZERS GTEST_SKIP() << "sanitizers need address space themselves"
#else
#define SKIP_WITH_SANITIZERS (void)0
#endif

TEST(AddressSpace, WhereAddressSpaceIsLimitedTheDeviceIsSmaller) {
  SKIP_WITH_SANITIZERS;
  EXPECT_EQ(with_little_address_space(std::uint64_t{1} << 30,
                                      [] {
                                        AddressSpace space(std::uint64_t{75} << 30);
                                        if (space.limited() == 0) return 1;
                                        if (space.capacity() > std::uint64_t{512} << 20) return 2;
                                        if (space.capacity() < std::uint64_t{384} << 20) return 3;
                                        const std::uint64_t all = space.capacity();
                                        for (int n = 0; n < 10; ++n) {
                                          const Address a =
                                              space.allocate(all, Kind::device, "all");
                                          if (a == 0) return 4;
                                          *space.values(a + all - 1, 1) = std::byte{1};
                                          space.free(a);
                                        }
                                        return 0;
                                      }),
            0);
}

TEST(AddressSpace, ALimitThatIsReachedIsAFullHost) {
  SKIP_WITH_SANITIZERS;
  EXPECT_EQ(
      with_little_address_space(std::uint64_t{256} << 20,
                                [] {
                                  AddressSpace space(std::uint64_t{5} << 30);
                                  const Address a = space.allocate_shared_with_host(
                                      std::uint64_t{1} << 30, Kind::managed, "much");
                                  if (a != 0 || !space.host_full()) return 1;
                                  return space.allocate(kMegabyte, Kind::device, "a") == 0 ? 2 : 0;
                                }),
      0);
}

TEST(AddressSpace, AddressesAreTheSameUnderALimit) {
  SKIP_WITH_SANITIZERS;
  static Address expected;
  {
    AddressSpace space(std::uint64_t{5} << 30);
    space.allocate(12345, Kind::device, "a");
    expected = space.allocate(12345, Kind::device, "b");
  }
  EXPECT_EQ(
      with_little_address_space(std::uint64_t{512} << 20,
                                [] {
                                  AddressSpace space(std::uint64_t{5} << 30);
                                  space.allocate(12345, Kind::device, "a");
                                  return int{space.allocate(12345, Kind::device, "b") != expected};
                                }),
      0);
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
