#include "base/stats.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

struct CacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors found."};
  Counter misses{*this, "misses", "sectors", "Sectors not found."};
};

TEST(Stats, TotalSumsOneCounterOverAllUnitsOfAName) {
  StatGroup gpu("gpu");
  StatGroup sm0(gpu, "sm"), sm1(gpu, "sm");
  CacheStats a(sm0, "l1"), b(sm1, "l1"), l2(gpu, "l2");
  a.hits += 3;
  b.hits += 4;
  l2.hits += 100;
  ++a.misses;
  EXPECT_EQ(total(gpu, "l1", "hits"), 7u);
  EXPECT_EQ(total(gpu, "", "hits"), 107u);
}

TEST(Stats, CountersKeepTheirDeclarationOrder) {
  CacheStats stats("l1");
  ASSERT_EQ(stats.counters().size(), 2u);
  EXPECT_EQ(stats.counters()[1]->name(), "misses");
}

}  // namespace
}  // namespace raddle
