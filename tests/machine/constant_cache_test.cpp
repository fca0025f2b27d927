#include "machine/load_store/constant_cache.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

struct ConstantCacheTest : testing::Test {
  ConstantCacheTest() : config("constant"), statistics("sm"), cache(setup(config), statistics) {}

  static const ConstantCacheConfig& setup(ConstantCacheConfig& config) {
    config.bytes = 256;  // two sets of two lines of 64 bytes
    config.line = 64;
    config.ways = 2;
    config.latency = 16;
    config.miss_latency = 120;
    return config;
  }
  ConstantCache::Cost load(std::initializer_list<Address> words) {
    isa::MemoryAccess access;
    access.bytes = 4;
    unsigned lane = 0;
    for (const Address word : words) access.address[lane++] = word;
    access.lanes = (LaneMask{1} << lane) - 1;
    return cache.access(access);
  }

  ConstantCacheConfig config;
  StatGroup statistics;
  ConstantCache cache;
};

TEST_F(ConstantCacheTest, OneAddressIsOnePass) {
  EXPECT_EQ(load({0, 0, 0, 0}).latency, 120u);
  const ConstantCache::Cost hit = load({4, 4, 4});
  EXPECT_EQ(hit.passes, 1u);
  EXPECT_EQ(hit.latency, 16u);
}

TEST_F(ConstantCacheTest, DistinctAddressesTakeTurns) {
  load({0});
  const ConstantCache::Cost cost = load({0, 4, 8, 4});
  EXPECT_EQ(cost.passes, 3u);
  EXPECT_EQ(cost.latency, 16u);
}

TEST_F(ConstantCacheTest, ReplacesTheLeastRecentlyUsedLineOfTheSet) {
  load({0});  // lines 0, 2, 4 fall into set 0
  load({128});
  load({0});
  load({256});  // replaces line 2
  EXPECT_EQ(load({0}).latency, 16u);
  EXPECT_EQ(load({128}).latency, 120u);
}

}  // namespace
}  // namespace raddle::machine
