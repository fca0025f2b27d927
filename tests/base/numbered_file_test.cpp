#include "base/numbered_file.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

TEST(NumberedFile, TheFirstHasTheNameItself) {
  EXPECT_EQ(numbered_file("a/b.json", 1), "a/b.json");
}

TEST(NumberedFile, TheNumberStandsBeforeTheEndings) {
  EXPECT_EQ(numbered_file("a/b.json", 2), "a/b.2.json");
  EXPECT_EQ(numbered_file("b.json.gz", 3), "b.3.json.gz");
  EXPECT_EQ(numbered_file("a.d/b", 12), "a.d/b.12");
  EXPECT_EQ(numbered_file(".hidden", 2), ".hidden.2");
}

TEST(NumberedFile, DevicesHaveNoNumbers) { EXPECT_EQ(numbered_file("/dev/null", 2), "/dev/null"); }

}  // namespace
}  // namespace raddle
