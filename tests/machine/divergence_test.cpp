// Divergence and reconvergence, counted by hand: which instructions a warp issues, and in which
// order its paths run.
#include <gmock/gmock.h>

#include "kernels.h"

namespace raddle::machine {
namespace {

using test::Machine;

/// `body` between reading the thread's index into %r1 and the end of the kernel.
std::string kernel(const std::string& body) {
  return ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n" +
         body + "ret; }\n";
}

std::uint64_t warp_instructions(const std::string& body, const char* divergence) {
  Machine machine(kernel(body).c_str(), {{"scheduler.divergence", divergence}});
  machine.launch("kernel", 1, 32);
  machine.run();
  return machine.gpu().take_ended().at(0).warp_instructions;
}

class EveryDivergence : public testing::TestWithParam<const char*> {};

/// Fung et al., MICRO 2007: paths meet again at the immediate post-dominator.
TEST_P(EveryDivergence, PathsRunOneAfterTheOtherAndMeetBehindThem) {
  // Every lane: 2 + setp, bra; odd ones two instructions, even ones an add and a bra; all three.
  const char* two_paths =
      "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n"
      "@%p1 bra EVEN;\n"
      "add.u32 %r3, %r1, 1; bra JOIN;\n"
      "EVEN: add.u32 %r3, %r1, 2;\n"
      "JOIN: add.u32 %r4, %r3, 1; add.u32 %r5, %r4, 1;\n";
  EXPECT_EQ(warp_instructions(two_paths, GetParam()), 2u + 3 + 2 + 1 + 2 + 1);
}

TEST_P(EveryDivergence, LanesThatLeaveALoopWaitForTheOthers) {
  // Lane l goes round 1 + l % 4 times: four rounds in all, then two instructions together.
  const char* loop =
      "and.b32 %r2, %r1, 3; mov.u32 %r3, 0;\n"
      "AGAIN: add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r2;\n"
      "@%p1 bra AGAIN;\n"
      "add.u32 %r4, %r3, 1; add.u32 %r5, %r4, 1;\n";
  EXPECT_EQ(warp_instructions(loop, GetParam()), 2u + 2 + 4 * 3 + 2 + 1);
}

TEST_P(EveryDivergence, ALoopInsideABranchMeetsTwice) {
  const char* nested =
      "setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 bra LOW;\n"
      "add.u32 %r3, %r1, 5; bra JOIN;\n"
      "LOW: and.b32 %r2, %r1, 1; mov.u32 %r3, 0;\n"
      "AGAIN: add.u32 %r3, %r3, 1; setp.le.u32 %p2, %r3, %r2;\n"
      "@%p2 bra AGAIN;\n"
      "add.u32 %r3, %r3, 1;\n"
      "JOIN: add.u32 %r4, %r3, 1;\n";
  EXPECT_EQ(warp_instructions(nested, GetParam()), 2u + 2 + 2 + (2 + 2 * 3 + 1) + 1 + 1);
}

INSTANTIATE_TEST_SUITE_P(Warp, EveryDivergence,
                         testing::Values("stack", "independent", "dual_path", "dynamic_warps"));

/// A SIMT stack runs what is on top: a path that has begun is not left for one that was pushed
/// before it.
TEST(Divergence, TheStackFinishesAPathThatHasBegun) {
  // Every lane notes a number that rises with time: path A on the way into its inner branch (1),
  // in both inner paths (2 and 3); path B (4).
  const char* body =
      "mov.u64 %rd5, %rd1;\n"
      "mul.wide.u32 %rd2, %r1, 16; add.u64 %rd2, %rd2, %rd1; add.u64 %rd2, %rd2, 256;\n"
      "setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 bra A;\n"
      "atom.global.add.u32 %r7, [%rd5], 1; st.global.u32 [%rd2], %r7; bra JOIN;\n"
      "A: atom.global.add.u32 %r7, [%rd5], 1; st.global.u32 [%rd2], %r7;\n"
      "and.b32 %r10, %r1, 8; setp.eq.u32 %p2, %r10, 0;\n"
      "@%p2 bra INNER;\n"
      "atom.global.add.u32 %r8, [%rd5], 1; st.global.u32 [%rd2+4], %r8; bra JOIN;\n"
      "INNER: atom.global.add.u32 %r8, [%rd5], 1; st.global.u32 [%rd2+4], %r8;\n"
      "JOIN: add.u32 %r9, %r1, 1;\n";
  for (const char* low_is_taken : {"lt", "ge"}) {
    std::string text = kernel(body);
    text.replace(text.find("setp.lt.u32 %p1, %r1, 16"), 7, std::string("setp.") + low_is_taken);
    Machine machine(text.c_str(), {{"scheduler.divergence", "stack"}});
    machine.launch("kernel", 1, 32);
    machine.run();
    const bool taken = std::string(low_is_taken) == "lt";
    std::uint32_t begun = ~0u, ended = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((lane < 16) != taken) continue;
      begun = std::min(begun, machine.out(64 + 4 * lane));
      ended = std::max(ended, machine.out(64 + 4 * lane + 1));
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((lane < 16) == taken) continue;
      const std::uint32_t other = machine.out(64 + 4 * lane);
      EXPECT_TRUE(other < begun || other > ended)
          << "lane " << lane << " ran at " << other << ", between " << begun << " and " << ended;
    }
  }
}

}  // namespace
}  // namespace raddle::machine
