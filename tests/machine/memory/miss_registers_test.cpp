#include "machine/cache/miss_registers.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

using ::testing::ElementsAre;

TEST(MissRegisters, AnswersThoseWhoHaveAllTheyWaitFor) {
  MissRegisters<int> misses(1, 4);
  const std::uint32_t id = misses.allocate(9);
  misses.expect(id, 0b0111);
  misses.wait(id, 1, 0b0011);
  misses.wait(id, 2, 0b0001);
  misses.wait(id, 3, 0b0100);
  std::vector<int> answered;
  auto note = [&](int waiter) { answered.push_back(waiter); };
  EXPECT_FALSE(misses.fill(id, 0b0001, note));
  EXPECT_THAT(answered, ElementsAre(2));
  EXPECT_TRUE(misses.fill(id, 0b0110, note));
  EXPECT_THAT(answered, ElementsAre(2, 1, 3));
  EXPECT_TRUE(misses.empty());
}

TEST(MissRegisters, AreBoundedInLinesAndWaiters) {
  MissRegisters<int> misses(2, 1);
  const std::uint32_t first = misses.allocate(0);
  EXPECT_FALSE(misses.full());
  misses.allocate(1);
  EXPECT_TRUE(misses.full());
  misses.expect(first, 1);
  EXPECT_TRUE(misses.can_wait(first));
  misses.wait(first, 1, 1);
  EXPECT_FALSE(misses.can_wait(first));
}

}  // namespace
}  // namespace raddle::machine
