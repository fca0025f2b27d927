#include "corun/wire.h"

#include <gtest/gtest.h>

#include "corun/messages.h"

namespace raddle::corun {
namespace {

Advance sample() {
  Advance message;
  message.limit = 12;
  message.changes.push_back(
      {.base = 4096, .bytes = 10, .name = "cudaMalloc #1", .pages = {{1, 2}}});
  message.launches.resize(2);
  message.launches[1].parameters = std::string("\0x\0", 3);
  message.launches[1].priority = -5;
  return message;
}

TEST(Wire, AMessageComesAsItWent) {
  const auto got = decoded<Advance>(encoded(sample()));
  EXPECT_EQ(got.limit, 12u);
  ASSERT_EQ(got.changes.size(), 1u);
  EXPECT_EQ(got.changes[0].base, 4096u);
  EXPECT_EQ(got.changes[0].name, "cudaMalloc #1");
  EXPECT_EQ(got.changes[0].pages.at(0).bytes, 2u);
  ASSERT_EQ(got.launches.size(), 2u);
  EXPECT_EQ(got.launches[1].parameters.size(), 3u);
  EXPECT_EQ(got.launches[1].priority, -5);
}

TEST(Wire, WhatIsCutOffAnywhereIsRefused) {
  const std::string bytes = encoded(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decoded<Advance>(bytes.substr(0, size)), Error) << size;
  }
}

TEST(Wire, WhatIsTooLongIsRefused) {
  EXPECT_THROW(decoded<Advance>(encoded(sample()) + "x"), Error);
}

TEST(Wire, ACountBeyondTheMessageIsRefused) {
  const std::string bytes(8, '\xff');  // of the list of changes
  EXPECT_THROW(decoded<Advance>(bytes), Error);
}

}  // namespace
}  // namespace raddle::corun
