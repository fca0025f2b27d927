#include "corun/host_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace raddle::corun {
namespace {

constexpr std::uint64_t kFileBytes = 1 << 20, kPageBytes = 4096;

class HostPagesTest : public testing::Test {
 protected:
  HostPagesTest() : file_(memfd_create(HostPages::kFileName, 0)), pages_(dup(file_), kFileBytes) {
    EXPECT_EQ(ftruncate(file_, kFileBytes), 0);
    seen_ =
        static_cast<char*>(mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0));
  }
  ~HostPagesTest() override {
    munmap(seen_, kFileBytes);
    close(file_);
  }
  char* own(std::uint64_t bytes) {
    void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return static_cast<char*>(got);
  }
  static Address at(const void* pointer) { return reinterpret_cast<Address>(pointer); }

  int file_;
  char* seen_;  // as another process has it
  HostPages pages_;
};

TEST_F(HostPagesTest, KeepTheirValuesAndAreSeenFromBothSides) {
  char* const memory = own(3 * kPageBytes);
  std::strcpy(memory + kPageBytes + 100, "before");
  const auto parts = pages_.share(at(memory + kPageBytes + 100), 10);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].bytes, kPageBytes);
  EXPECT_STREQ(memory + kPageBytes + 100, "before");
  char* const other = seen_ + parts[0].offset + 100;
  EXPECT_STREQ(other, "before");
  std::strcpy(memory + kPageBytes + 100, "here");
  EXPECT_STREQ(other, "here");
  std::strcpy(other, "there");
  EXPECT_STREQ(memory + kPageBytes + 100, "there");
}

TEST_F(HostPagesTest, APageOfTwoStaysWhereTheFirstHasPutIt) {
  char* const memory = own(2 * kPageBytes);
  const auto first = pages_.share(at(memory + 10), 10);
  const auto second = pages_.share(at(memory + 1000), kPageBytes);
  EXPECT_EQ(second.front().offset, first.front().offset);
  pages_.release(at(memory + 10), 10);
  memory[1000] = 'x';
  EXPECT_EQ(seen_[second.front().offset + 1000], 'x');
}

TEST_F(HostPagesTest, WhatWasGivenBackIsMovedAnew) {
  char* const memory = own(kPageBytes);
  pages_.share(at(memory), kPageBytes);
  pages_.release(at(memory), kPageBytes);
  memory[5] = 'a';
  const auto parts = pages_.share(at(memory), kPageBytes);
  EXPECT_EQ(seen_[parts.front().offset + 5], 'a');
}

TEST_F(HostPagesTest, NewMemoryWhereOldWasIsMovedAnew) {
  char* const memory = own(kPageBytes);
  pages_.share(at(memory), kPageBytes);
  pages_.release(at(memory), kPageBytes);
  mmap(memory, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  memory[0] = 'n';
  const auto parts = pages_.share(at(memory), kPageBytes);
  EXPECT_EQ(seen_[parts.front().offset], 'n');
}

TEST_F(HostPagesTest, StacksAreRefused) {
  int local = 0;
  EXPECT_THROW(pages_.share(at(&local), sizeof local), Error);
}

TEST_F(HostPagesTest, FilesAndWhatIsNotThereAreRefused) {
  const int file = memfd_create("somebody's", 0);
  ASSERT_EQ(ftruncate(file, kPageBytes), 0);
  void* const mapped = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  EXPECT_THROW(pages_.share(at(mapped), 8), Error);
  munmap(mapped, kPageBytes);
  EXPECT_THROW(pages_.share(at(mapped), 8), Error);
  char* const constant = own(kPageBytes);
  mprotect(constant, kPageBytes, PROT_READ);
  EXPECT_THROW(pages_.share(at(constant), 8), Error);
  close(file);
}

TEST_F(HostPagesTest, MoreThanTheFileHoldsIsRefused) {
  char* const memory = own(2 * kFileBytes);
  EXPECT_THROW(pages_.share(at(memory), 2 * kFileBytes), Error);
}

}  // namespace
}  // namespace raddle::corun
