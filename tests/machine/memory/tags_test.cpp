#include "machine/cache/tags.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::machine {
namespace {

Address line(unsigned number) { return Address{number} * kLineBytes; }

TEST(Tags, FindWhatWasAssigned) {
  Tags tags(1, 2);
  EXPECT_EQ(tags.find(line(7)), Tags::kNoSlot);
  const std::uint32_t slot = tags.victim(line(7));
  tags.assign(slot, line(7));
  EXPECT_EQ(tags.find(line(7)), slot);
  EXPECT_EQ(tags.line(slot), line(7));
  EXPECT_EQ(tags[slot].valid, 0);
}

TEST(Tags, TheLeastRecentlyUsedLineGoes) {
  Tags tags(1, 2);
  tags.assign(tags.victim(line(1)), line(1));
  tags.assign(tags.victim(line(2)), line(2));
  tags.use(tags.find(line(1)));
  EXPECT_EQ(tags.victim(line(3)), tags.find(line(2)));
}

TEST(Tags, ALineThatWaitsForItsFillStays) {
  Tags tags(1, 2);
  for (unsigned i : {1u, 2u}) tags.assign(tags.victim(line(i)), line(i));
  tags[tags.find(line(1))].miss = 0;
  EXPECT_EQ(tags.victim(line(3)), tags.find(line(2)));
  tags[tags.find(line(2))].miss = 1;
  EXPECT_EQ(tags.victim(line(3)), Tags::kNoSlot);
}

TEST(Tags, StridesOfThePowersOfTwoSpreadOverTheSets) {
  const unsigned sets = 32;
  for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
    Tags tags(sets, 1);
    std::set<std::uint32_t> slots;
    for (unsigned i = 0; i < sets; ++i) slots.insert(tags.victim(line(i * stride)));
    EXPECT_EQ(slots.size(), sets) << "stride " << stride;
  }
}

TEST(Tags, WaysThatAreNotUsedHoldNothing) {
  Tags tags(1, 4);
  for (Address line = 0; line < 4; ++line) {
    tags.assign(tags.victim(line * kLineBytes), line * kLineBytes);
  }
  tags.use_ways(2);
  unsigned found = 0;
  for (Address line = 0; line < 4; ++line) found += tags.find(line * kLineBytes) != Tags::kNoSlot;
  EXPECT_EQ(found, 2u);
  EXPECT_LT(tags.victim(9 * kLineBytes), 2u);
}

TEST(Tags, DropTellsOfDirtyLinesOfARange) {
  Tags tags(2, 4);
  for (unsigned number = 1; number <= 4; ++number) {
    tags.assign(tags.victim(line(number)), line(number));
    tags[tags.find(line(number))].valid = 0b0011;
  }
  tags[tags.find(line(2))].dirty = 0b0110;
  tags[tags.find(line(4))].dirty = 0b0001;
  std::vector<Address> told;
  tags.drop(line(2), line(4), [&](Address at, SectorMask dirty, SectorMask valid) {
    told.push_back(at);
    EXPECT_EQ(dirty, 0b0110);
    EXPECT_EQ(valid, 0b0011);
  });
  EXPECT_EQ(told, std::vector<Address>{line(2)});
  EXPECT_NE(tags.find(line(1)), Tags::kNoSlot);
  EXPECT_EQ(tags.find(line(2)), Tags::kNoSlot);
  EXPECT_EQ(tags.find(line(3)), Tags::kNoSlot);
  EXPECT_NE(tags.find(line(4)), Tags::kNoSlot) << "the end is not part of it";
}

TEST(Tags, DropCleanKeepsDirtySectors) {
  Tags tags(1, 1);
  tags.assign(0, line(1));
  tags[0].valid = 0b0111;
  tags[0].dirty = 0b0100;
  tags.drop_clean();
  EXPECT_EQ(tags[0].valid, 0b0100);
}

}  // namespace
}  // namespace raddle::machine
