#include "memory/host_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

namespace raddle::memory {
namespace {

constexpr std::size_t kPage = 4096;

Address address_of(const void* p) { return reinterpret_cast<Address>(p); }

/// Two pages of which the second cannot be used.
class HalfMapped : public testing::Test {
 protected:
  void SetUp() override {
    pages_ = static_cast<char*>(
        mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(pages_, MAP_FAILED);
    mprotect(pages_ + kPage, kPage, PROT_NONE);
  }
  void TearDown() override { munmap(pages_, 2 * kPage); }
  char* pages_ = nullptr;
};

TEST_F(HalfMapped, CopiesReachTheLastByteAndNotTheNext) {
  char there[16] = "0123456789abcde";
  EXPECT_TRUE(copy_if_accessible(pages_ + kPage - 16, there, 16));
  EXPECT_EQ(std::memcmp(pages_ + kPage - 16, there, 16), 0);
  EXPECT_FALSE(copy_if_accessible(pages_ + kPage - 15, there, 16));
  EXPECT_FALSE(copy_if_accessible(there, pages_ + kPage - 15, 16));
}

TEST_F(HalfMapped, AccessIsToldByPermission) {
  EXPECT_TRUE(host_may_access(address_of(pages_), kPage, true));
  EXPECT_FALSE(host_may_access(address_of(pages_), kPage + 1, false));
  mprotect(pages_, kPage, PROT_READ);
  EXPECT_TRUE(host_may_access(address_of(pages_), kPage, false));
  EXPECT_FALSE(host_may_access(address_of(pages_), 1, true));
  EXPECT_FALSE(host_may_access(address_of(pages_), ~std::uint64_t{0}, false));
}

TEST(HostMemory, LargeCopiesAreWhole) {
  std::vector<unsigned char> from(40'000'001), to(from.size());
  for (std::size_t n = 0; n < from.size(); ++n) from[n] = static_cast<unsigned char>(n * 7 >> 3);
  EXPECT_TRUE(copy_if_accessible(to.data(), from.data(), from.size()));
  EXPECT_EQ(to, from);
}

TEST(HostMemory, AddressesAreNamed) {
  static int variable = 1;
  // Sanitizers keep local variables elsewhere.
  EXPECT_EQ(host_memory_at(address_of(__builtin_frame_address(0))), "its stack");
  EXPECT_EQ(host_memory_at(address_of(&variable)), "a variable or code of memory_tests");
  EXPECT_FALSE(host_memory_at(16).has_value());
}

}  // namespace
}  // namespace raddle::memory
