// The reported positions of the warps of running kernels.
#include <gmock/gmock-matchers.h>

#include "kernels.h"

namespace raddle::machine {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class WhereaboutsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Machines, WhereaboutsTest, testing::Values("false", "true"),
                         [](const auto& machine) {
                           return *machine.param == 't' ? "functional" : "timed";
                         });

// Block 0 waits for block 1, of which there is none.
TEST_P(WhereaboutsTest, WarpsThatSpinAreInTheirLoop) {
  Machine machine(kFlag, {{"gpu.functional", GetParam()}});
  machine.launch("flag", 1, 64);
  machine.gpu().advance(20000);
  EXPECT_THAT(machine.gpu().where_warps_are(10),
              AllOf(HasSubstr("kernel flag: 0 of 1 blocks have ended, 2 warps are resident"),
                    HasSubstr("block (0,0,0), warp "), HasSubstr("lanes 0-31 at test.ptx:"),
                    testing::ContainsRegex("ld.volatile|setp.eq.u32 %p2|@%p2 bra WAIT")));
}

TEST_P(WhereaboutsTest, NothingRunsNothingIsSaid) {
  Machine machine(kFlag, {{"gpu.functional", GetParam()}});
  EXPECT_EQ(machine.gpu().where_warps_are(10), "");
  machine.launch("flag", 2, 64);
  machine.run();
  EXPECT_EQ(machine.gpu().where_warps_are(10), "");
}

// Warps at one barrier share a line however many they are; it is the most that is bounded.
TEST_P(WhereaboutsTest, WarpsAtOnePlaceShareALine) {
  Machine machine(R"(
.visible .entry spin(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
  shr.u32 %r1, %r1, 5;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bar.sync 0;
HERE:
  bra HERE;
})",
                  {{"gpu.functional", GetParam()}});
  machine.launch("spin", 2, 128);
  machine.gpu().advance(200000);
  const std::string all = machine.gpu().where_warps_are(10);
  EXPECT_THAT(all, AllOf(HasSubstr("8 warps are resident"), HasSubstr("6 warps, such as block"),
                         HasSubstr("(@%p1 bar.sync 0) wait at barrier 0: 96 of 128 threads"),
                         HasSubstr("2 warps, such as block"), HasSubstr("(bra HERE) run")));
  EXPECT_THAT(machine.gpu().where_warps_are(1),
              AllOf(HasSubstr("6 warps"), Not(HasSubstr("2 warps,")), HasSubstr("1 more places")));
}

}  // namespace
}  // namespace raddle::machine
