#include "isa/print_buffer.h"

#include <gtest/gtest.h>

namespace raddle::isa {
namespace {

TEST(PrintBuffer, WhatWasPrintedFirstIsLost) {
  PrintBuffer buffer;
  buffer.set_limit(100);
  for (const char* text : {"a", "b", "c", "d"}) buffer.add(text, 40);
  EXPECT_EQ(buffer.take(), "cd");
  EXPECT_EQ(buffer.take_lost(), 2u);
  EXPECT_EQ(buffer.take_lost(), 0u);
}

TEST(PrintBuffer, ReadingItMakesRoom) {
  PrintBuffer buffer;
  buffer.set_limit(100);
  buffer.add("a", 100);
  EXPECT_EQ(buffer.take(), "a");
  buffer.add("b", 100);
  EXPECT_EQ(buffer.take(), "b");
  EXPECT_EQ(buffer.take_lost(), 0u);
}

TEST(PrintBuffer, WhatIsLostMakesRoomForNoMoreThanItTook) {
  PrintBuffer buffer;
  buffer.set_limit(100);
  buffer.add("a", 10);
  buffer.add("b", 90);
  buffer.add("c", 10);
  buffer.add("d", 10);
  EXPECT_EQ(buffer.take(), "cd");
  EXPECT_EQ(buffer.take_lost(), 2u);
}

TEST(PrintBuffer, ACallLargerThanItLosesItself) {
  PrintBuffer buffer;
  buffer.set_limit(8);
  buffer.add("a", 9);
  EXPECT_EQ(buffer.take(), "");
  EXPECT_EQ(buffer.take_lost(), 1u);
}

}  // namespace
}  // namespace raddle::isa
