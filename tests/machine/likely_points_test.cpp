// Likely convergence points: the instructions that a warp issues, by the example of the paper.
#include <gmock/gmock-matchers.h>

#include "kernels.h"

namespace raddle::machine {
namespace {

using test::Machine;

/// Figure 29 of irregular-control-flow: block for block. Of four lanes one goes ABEF, one ACEF, and two
/// go ACDF; nobody goes round again.
constexpr const char* kFigure29 = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .pred %p<6>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
A: setp.eq.u32 %p1, %r2, 0;
  @%p1 bra B;
C: setp.ge.u32 %p2, %r2, 2;
  @%p2 bra D;
  bra E;
B: add.u32 %r3, %r1, 1;
  setp.gt.u32 %p4, %r3, 5000;
  @%p4 bra F;
E: add.u32 %r4, %r1, 1;
  add.u32 %r5, %r4, 1;
  setp.gt.u32 %p3, %r5, 5000;
  @%p3 bra A;
  bra F;
D: add.u32 %r6, %r1, 4;
F: add.u32 %r7, %r1, 5;
  ret;
})";

struct Ran {
  std::uint64_t issued = 0, points = 0, arrivals = 0, meetings = 0;
};

Ran run(const char* scheme) {
  Machine machine(kFigure29, {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
  machine.launch("kernel", 1, 4);
  machine.run();
  const StatGroup& all = machine.gpu().statistics();
  return {machine.gpu().take_ended().at(0).warp_instructions,
          total(all, "divergence", "likely_points"), total(all, "divergence", "likely_arrivals"),
          total(all, "divergence", "likely_meetings")};
}

constexpr std::uint64_t kBlocks[] = {4, 3, 3, 1, 5, 2};  // A (and what is before) B C D E F

TEST(LikelyPoints, LanesOfBothWaysExecuteBlockETogether) {
  const auto [a, b, c, d, e, f] = kBlocks;
  // On the stack lanes 1 and 2 of the figure execute E one after the other (steps 4 to 7).
  EXPECT_EQ(run("stack").issued, a + b + c + d + 2 * e + f);
  EXPECT_EQ(run("likely_points").issued, a + b + c + d + e + f);
}

TEST(LikelyPoints, TheStackIsAsInFigure30) {
  const Ran ran = run("likely_points");
  EXPECT_EQ(ran.points, 1u);    // one likely entry, for E
  EXPECT_EQ(ran.arrivals, 2u);  // thread 2 by way of C, thread 1 by way of B
  EXPECT_EQ(ran.meetings, 1u);
}

/// A lane that comes to its point by falling through, by a jump forwards, backwards, and by a table.
TEST(LikelyPoints, AreFoundHoweverLanesComeThere) {
  constexpr const char* kWays = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .pred %p<6>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
  bra A;
E: add.u32 %r4, %r1, 1;
  add.u32 %r5, %r4, 1;
  setp.gt.u32 %p3, %r5, 5000;
  @%p3 bra A;
  bra F;
A: setp.eq.u32 %p1, %r2, 0;
  @%p1 bra B;
C: setp.ge.u32 %p2, %r2, 2;
  @%p2 bra D;
  bra E;
B: add.u32 %r3, %r1, 1;
  setp.gt.u32 %p4, %r3, 5000;
  @%p4 bra F;
  mov.u32 %r8, 0;
T: .branchtargets E, F;
  brx.idx %r8, T;
D: add.u32 %r6, %r1, 4;
F: add.u32 %r7, %r1, 5;
  ret;
})";
  for (const auto& [scheme, times] : {std::pair("stack", 2u), std::pair("likely_points", 1u)}) {
    Machine machine(kWays, {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 4);
    machine.run();
    const auto [a, b, c, d, e, f] = kBlocks;
    EXPECT_EQ(machine.gpu().take_ended().at(0).warp_instructions,
              (a + 1) + (b + 2) + c + d + times * e + f)
        << scheme;
  }
}

}  // namespace
}  // namespace raddle::machine
