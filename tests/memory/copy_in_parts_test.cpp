// Copies by several threads are whole: each byte is in one part.
#include "memory/copy_in_parts.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle::memory {
namespace {

constexpr std::size_t kPart = 1 << 20;

class Parts : public testing::TestWithParam<unsigned> {};

TEST_P(Parts, HoldEachByteOnce) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, 4 * kPart, 4 * kPart + 1, 9 * kPart - 1}) {
    std::vector<unsigned char> times(bytes);
    EXPECT_TRUE(copy_in_parts(bytes, GetParam(), [&](std::size_t offset, std::size_t part) {
      for (std::size_t i = offset; i < offset + part; ++i) ++times[i];
      return true;
    }));
    EXPECT_EQ(times, std::vector<unsigned char>(bytes, 1)) << bytes;
  }
}

TEST_P(Parts, FailAsAWhole) {
  for (const std::size_t wrong : {std::size_t{0}, 20 * kPart}) {
    EXPECT_FALSE(copy_in_parts(21 * kPart, GetParam(), [&](std::size_t offset, std::size_t bytes) {
      return wrong < offset || wrong >= offset + bytes;
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Parts, testing::Values(1u, 2u, 5u));

}  // namespace
}  // namespace raddle::memory
