#include "report/names.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

TEST(Names, ShortOnesAreWhatTheSourceSays) {
  EXPECT_EQ(short_kernel_name("_ZN3app6gatherIiEEvPKT_PS1_i", 20), "app::gather<int>");
}

TEST(Names, LongOnesLoseTheirNamespacesFirst) {
  EXPECT_EQ(short_kernel_name("_ZN3app6gatherIiEEvPKT_PS1_i", 12), "gather<int>");
  EXPECT_EQ(short_kernel_name("a::(anonymous namespace)::spin<b::Half, c::d::E>", 20),
            "spin<Half, E>");
}

TEST(Names, ThenTheirEnd) {
  EXPECT_EQ(short_kernel_name("_ZN3app6gatherIiEEvPKT_PS1_i", 8), "gathe...");
}

}  // namespace
}  // namespace raddle::report
