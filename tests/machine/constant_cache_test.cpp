#include "machine/load_store/constant_cache.h"

#include <gtest/gtest.h>

#include "base/stats.h"
#include "machine/load_store/config.h"

namespace raddle::machine {
namespace {

struct ConstantCacheTest : testing::Test {
  ConstantCacheTest() : config("constant"), statistics("sm"), cache(setup(config), statistics) {}

  static const ConstantCacheConfig& setup(ConstantCacheConfig& config) {
    config.bytes = 256;  // two sets of two lines of 64 bytes
    config.line = 64;
    config.ways = 2;
    config.latency = 16;
    return config;
  }
  ConstantCache::Cost load(std::initializer_list<Address> words) {
    isa::MemoryAccess access;
    access.bytes = 4;
    access.space = isa::MemoryAccess::Space::constant;
    unsigned lane = 0;
    for (const Address word : words) access.address[lane++] = word;
    access.lanes = (LaneMask{1} << lane) - 1;
    return cache.access(access, 0, missing);
  }
  /// A load whose missing lines come at once.
  unsigned misses(std::initializer_list<Address> words) {
    const unsigned missing_lines = load(words).missing;
    cache.expect(7);
    cache.fill(7);
    return missing_lines;
  }

  ConstantCacheConfig config;
  StatGroup statistics;
  ConstantCache cache;
  Transaction missing[kWarpSize];
};

TEST_F(ConstantCacheTest, OneAddressIsOnePass) {
  EXPECT_EQ(misses({0, 0, 0, 0}), 1u);
  const ConstantCache::Cost hit = load({4, 4, 4});
  EXPECT_EQ(hit.missing, 0u);
  EXPECT_EQ(hit.passes, 1u);
  EXPECT_EQ(hit.latency, 16u);
}

TEST_F(ConstantCacheTest, DistinctAddressesTakeTurns) {
  misses({0});
  const ConstantCache::Cost cost = load({0, 4, 8, 4});
  EXPECT_EQ(cost.passes, 3u);
  EXPECT_EQ(cost.latency, 16u);
}

TEST_F(ConstantCacheTest, AsksForMissingLinesWhole) {
  // Lines of 64 bytes: the first two lie in one 128-byte line of the next level.
  EXPECT_EQ(load({64, 0, 192}).missing, 2u);
  EXPECT_EQ(missing[0].line, 0u);
  EXPECT_EQ(missing[0].sectors, 0b1111);
  EXPECT_EQ(missing[1].line, 128u);
  EXPECT_EQ(missing[1].sectors, 0b1100);
}

TEST_F(ConstantCacheTest, ALineThatIsUnderWayIsMissingUntilItsLoadCompletes) {
  load({0});
  cache.expect(3);
  EXPECT_EQ(load({0}).missing, 1u);
  cache.expect(4);
  cache.fill(4);  // which brings nothing that load 3 does not
  EXPECT_EQ(load({0}).missing, 1u);
  cache.fill(3);
  EXPECT_EQ(load({0}).missing, 0u);
}

TEST_F(ConstantCacheTest, ParametersAreABankOfTheirOwn) {
  misses({0});
  isa::MemoryAccess access;
  access.bytes = 4;
  access.space = isa::MemoryAccess::Space::parameter;
  access.lanes = 1;
  EXPECT_EQ(cache.access(access, 0, missing).missing, 1u);
}

TEST_F(ConstantCacheTest, ReplacesTheLeastRecentlyUsedLineOfTheSet) {
  misses({0});  // lines 0, 2, 4 fall into set 0
  misses({128});
  misses({0});
  misses({256});  // replaces line 2
  EXPECT_EQ(misses({0}), 0u);
  EXPECT_EQ(misses({128}), 1u);
}

// Those of a launch by a kernel lie in its buffer in memory; equal offsets are not one line.
TEST_F(ConstantCacheTest, ParametersLieWhereTheirLaunchPutThem) {
  isa::MemoryAccess access;
  access.bytes = 4;
  access.space = isa::MemoryAccess::Space::parameter;
  access.lanes = 1;
  EXPECT_EQ(cache.access(access, 0x10000, missing).missing, 1u);
  EXPECT_EQ(missing[0].line, 0x10000u);
  cache.expect(7);
  cache.fill(7);
  EXPECT_EQ(cache.access(access, 0x10000, missing).missing, 0u);
  EXPECT_EQ(cache.access(access, 0x20000, missing).missing, 1u);
}

}  // namespace
}  // namespace raddle::machine
