// Which lane leads a group of lanes of several warps (Fung et al., MICRO 2007).
#include "machine/reconvergence/leaders.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

constexpr int kBlock = 0, kOtherBlock = 0;

ReadyPath path(unsigned warp, std::uint32_t pc, LaneMask lanes, const int& block = kBlock) {
  return {.id = path_id(warp, 0),
          .pc = pc,
          .lanes = lanes,
          .age = warp,
          .block = &block,
          .can_lead = true};
}

TEST(Leaders, TheMajorityOrTheMinorityOfLanesOrTheFirstInstruction) {
  // 5 lanes at 40, of two warps; 4 at 20; 6 at 10, but of two blocks.
  const std::vector<ReadyPath> ready = {path(0, 20, 0xf), path(1, 40, 0x3), path(2, 40, 0x70),
                                        path(3, 10, 0x7), path(4, 10, 0x7, kOtherBlock)};
  EXPECT_EQ(Leaders("majority", 16, 1).lead(0, ready), &ready[1]) << "the older of the two";
  EXPECT_EQ(Leaders("minority", 16, 1).lead(0, ready), &ready[3]);
  EXPECT_EQ(Leaders("pc", 16, 1).lead(0, ready), &ready[3]);
}

TEST(Leaders, LanesThatTheSchedulerCannotIssueCountButDoNotLead) {
  std::vector<ReadyPath> ready = {path(0, 20, 0xf), path(1, 40, 0x3), path(2, 40, 0x70)};
  ready[1].can_lead = false;
  EXPECT_EQ(Leaders("majority", 16, 1).lead(0, ready), &ready[2]);
  for (ReadyPath& one : ready) one.can_lead = false;
  EXPECT_EQ(Leaders("majority", 16, 1).lead(0, ready), nullptr);
}

TEST(Leaders, AllThatWaitAtAPlaceIssueBeforeAnotherIsChosen) {
  Leaders leaders("majority", 16, 2);
  const std::vector<ReadyPath> before = {path(0, 20, 0xf), path(1, 40, 0xff)};
  EXPECT_EQ(leaders.lead(0, before)->pc, 40u);
  const std::vector<ReadyPath> after = {path(0, 20, 0xf), path(2, 40, 0x1)};
  EXPECT_EQ(leaders.lead(0, after)->pc, 40u);
  EXPECT_EQ(leaders.lead(1, after)->pc, 20u) << "each scheduler has a place of its own";
  EXPECT_EQ(leaders.lead(0, std::span(after).first(1))->pc, 20u);
}

// One lane has what 31 spin for.
TEST(Leaders, EveryPathHasItsTurn) {
  for (const char* policy : {"majority", "minority", "pc"}) {
    Leaders leaders(policy, 16, 1);
    const std::vector<ReadyPath> ready = {path(0, 30, 0x1), path(1, 20, 0xff), path(2, 10, 0xff00),
                                          path(3, 40, 0xf)};
    std::vector<unsigned> led(ready.size());
    for (int issue = 0; issue < 100; ++issue) ++led[warp_of(leaders.lead(0, ready)->id)];
    for (const unsigned times : led) EXPECT_GT(times, 0u) << policy;
  }
}

TEST(Leaders, ATurnComesAfterSoManyIssues) {
  Leaders leaders("majority", 3, 1);
  const std::vector<ReadyPath> ready = {path(0, 30, 0x1), path(1, 20, 0xff), path(2, 10, 0xff00)};
  std::vector<unsigned> led;
  for (int issue = 0; issue < 12; ++issue) led.push_back(warp_of(leaders.lead(0, ready)->id));
  // The older of two places with as many lanes; every fourth issue is the next path's, and the
  // majority's place is then the one which that has left.
  EXPECT_EQ(led[0], 1u);
  EXPECT_EQ(led[3], 1u);
  EXPECT_EQ(led[7], 2u);
  EXPECT_EQ(led[11], 0u);
}

}  // namespace
}  // namespace raddle::machine
