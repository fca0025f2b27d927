// Ranges of addresses, and the memory that is mapped in them.
#include "cuda/runtime/virtual_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include <functional>

namespace raddle::cuda {
namespace {

constexpr std::uint64_t kGranule = VirtualMemory::kGranularity;

struct VirtualMemoryTest : ::testing::Test {
  cudaError_t refused(const std::function<void()>& work) {
    try {
      work();
    } catch (const Refusal& refusal) {
      return refusal.code;
    }
    return cudaSuccess;
  }
  /// A mapping that kernels may use.
  void map(Address at, const std::shared_ptr<Physical>& what) {
    memory.map(at, kGranule, 0, what);
    memory.set_access(at, kGranule, VirtualMemory::Access::read_write);
  }

  memory::AddressSpace space{64 << 20};
  VirtualMemory memory{space};
};

TEST_F(VirtualMemoryTest, OnePieceAtTwoAddressesHasTheSameValues) {
  const Address base = memory.reserve(3 * kGranule, 0, 0);
  const auto piece = memory.create(kGranule);
  map(base, piece);
  map(base + 2 * kGranule, piece);
  *space.values(base + 5, 1) = std::byte{42};
  EXPECT_EQ(*space.values(base + 2 * kGranule + 5, 1), std::byte{42});
  EXPECT_EQ(space.values(base + kGranule, 1), nullptr);
}

TEST_F(VirtualMemoryTest, MappingsSideBySideAreOneAllocation) {
  const Address base = memory.reserve(2 * kGranule, 0, 0);
  map(base, memory.create(kGranule));
  EXPECT_EQ(space.values(base + kGranule - 4, 8), nullptr);
  map(base + kGranule, memory.create(kGranule));
  EXPECT_NE(space.values(base + kGranule - 4, 8), nullptr);
  memory.unmap(base, kGranule);
  EXPECT_EQ(space.find(base), nullptr);
  EXPECT_NE(space.values(base + kGranule, kGranule), nullptr);
}

TEST_F(VirtualMemoryTest, AccessIsGivenApartFromMapping) {
  const Address base = memory.reserve(kGranule, 0, 0);
  memory.map(base, kGranule, 0, memory.create(kGranule));
  EXPECT_EQ(space.find(base), nullptr);
  memory.set_access(base, kGranule, VirtualMemory::Access::read);
  ASSERT_NE(space.find(base), nullptr);
  EXPECT_EQ(space.find(base)->kind, memory::Kind::constant);
}

TEST_F(VirtualMemoryTest, RangesDoNotOverlapAndAreFreedWhole) {
  const Address one = memory.reserve(2 * kGranule, 0, 0), two = memory.reserve(kGranule, 0, one);
  EXPECT_GE(two, one + 2 * kGranule);
  EXPECT_EQ(refused([&] { memory.free(one, kGranule); }), cudaErrorInvalidValue);
  memory.free(one, 2 * kGranule);
  EXPECT_EQ(memory.reserve(kGranule, 0, one), one);
}

TEST_F(VirtualMemoryTest, RangesHaveAGuardBetweenThemAndAreNotHandedOutAgainAtOnce) {
  const Address one = memory.reserve(kGranule, 0, 0), two = memory.reserve(kGranule, 0, 0);
  EXPECT_GE(two, one + 2 * kGranule);
  memory.free(one, kGranule);
  memory.free(two, kGranule);
  const Address three = memory.reserve(kGranule, 0, 0);
  EXPECT_NE(three, one);
  EXPECT_NE(three, two);
}

TEST_F(VirtualMemoryTest, LargeRangesAreReservedWhereAddressSpaceIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need address space themselves";
#endif
  const pid_t child = fork();
  if (child == 0) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit limit{pages * 4096 + (256u << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    const Address base = memory.reserve(std::uint64_t{64} << 30, 0, 0);
    for (int round = 0; round < 2; ++round) {
      map(base + kGranule, memory.create(kGranule));
      std::byte* at = space.values(base + kGranule, kGranule);
      if (at == nullptr || at[kGranule - 1] != std::byte{0}) _exit(2);
      at[kGranule - 1] = std::byte{1};
      memory.unmap(base + kGranule, kGranule);
    }
    memory.free(base, std::uint64_t{64} << 30);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(VirtualMemoryTest, WhatDoesNotFitIsRefused) {
  const Address base = memory.reserve(2 * kGranule, 0, 0);
  const auto piece = memory.create(kGranule);
  EXPECT_EQ(refused([&] { memory.reserve(kGranule + 1, 0, 0); }), cudaErrorInvalidValue);
  EXPECT_EQ(refused([&] { memory.map(base, 2 * kGranule, 0, piece); }), cudaErrorInvalidValue);
  EXPECT_EQ(refused([&] { memory.map(base + 2 * kGranule, kGranule, 0, piece); }),
            cudaErrorInvalidValue);
  EXPECT_EQ(refused([&] { memory.unmap(base, kGranule); }), cudaErrorInvalidValue);
  map(base, piece);
  EXPECT_EQ(refused([&] { memory.map(base, kGranule, 0, piece); }), cudaErrorInvalidValue);
  EXPECT_EQ(refused([&] { memory.free(base, 2 * kGranule); }), cudaErrorInvalidValue);
  // 64 MB of device memory: 62 more after the first 2.
  EXPECT_EQ(refused([&] { memory.create(32 * kGranule); }), cudaErrorMemoryAllocation);
}

}  // namespace
}  // namespace raddle::cuda
