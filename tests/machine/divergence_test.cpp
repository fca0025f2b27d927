// Divergence and reconvergence, counted by hand: which instructions a warp issues, and in which
// order its paths run.
#include <fmt/core.h>
#include <gmock/gmock-matchers.h>

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

TEST_P(EveryDivergence, ABranchToTheNextInstructionPartsNobody) {
  const char* next =
      "setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 bra NEXT;\n"
      "NEXT: add.u32 %r4, %r1, 1;\n";
  EXPECT_EQ(warp_instructions(next, GetParam()), 2u + 2 + 1 + 1);
}

INSTANTIATE_TEST_SUITE_P(Warp, EveryDivergence,
                         testing::Values("stack", "independent", "dual_path", "multi_path",
                                         "dynamic_warps", "likely_points", "subdivided_warps",
                                         "compacted_warps"));

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

/// A chain of loads, each of which needs the one before.
std::string chain(const char* address) {
  std::string text;
  for (int n = 0; n < 8; ++n) {
    text += std::string("ld.volatile.global.u32 %r5, [") + address +
            "];\n"
            "and.b32 %r5, %r5, 0; cvt.u64.u32 %rd3, %r5; add.u64 " +
            address + ", " + address + ", %rd3;\n";
  }
  return text;
}

Cycle cycles(const std::string& body, const char* divergence, std::uint32_t threads) {
  const std::string text = kernel(body);
  Machine machine(text.c_str(), {{"scheduler.divergence", divergence}, {"gpu.sms", "1"}});
  machine.launch("kernel", 1, threads);
  machine.run();
  const GridRecord grid = machine.gpu().take_ended().at(0);
  return grid.end_cycle - grid.start_cycle;
}

/// Rhu and Erez, HPCA 2013: the loads of both ways are under way together.
TEST(Divergence, OfTwoPathsOneHidesTheLatencyOfTheOther) {
  const std::string two_chains =
      "mov.u64 %rd5, %rd1; mov.u64 %rd6, %rd1;\n"
      "setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 bra LOW;\n" +
      chain("%rd5") + "bra JOIN;\nLOW:\n" + chain("%rd6") + "JOIN: add.u32 %r6, %r1, 1;\n";
  const Cycle one = cycles(two_chains, "stack", 32), both = cycles(two_chains, "dual_path", 32);
  EXPECT_LT(static_cast<double>(both), 0.65 * static_cast<double>(one));
}

/// ElTantawy et al., HPCA 2014: those of all ways of nested branches.
TEST(Divergence, OfManyPathsAllHideEachOthersLatencies) {
  std::string four = "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\n";
  for (const auto& [half, bound] : {std::pair("HIGH", "24"), std::pair("LOW", "8")}) {
    const std::string at(half);
    four += at + ": mov.u64 %rd5, %rd1; mov.u64 %rd6, %rd1; setp.lt.u32 %p2, %r1, " + bound +
            ";\n@%p2 bra " + at + "1;\n" + chain("%rd5") + "bra " + at + "2;\n" + at + "1:\n" +
            chain("%rd6") + at + "2: bra JOIN;\n";
  }
  four += "JOIN: add.u32 %r6, %r1, 1;\n";
  const Cycle one = cycles(four, "stack", 32), two = cycles(four, "dual_path", 32);
  EXPECT_LT(static_cast<double>(cycles(four, "multi_path", 32)), 0.6 * static_cast<double>(two));
  EXPECT_LT(static_cast<double>(cycles(four, "multi_path", 32)), 0.4 * static_cast<double>(one));
}

/// Fung et al., MICRO 2007: where the lanes of two warps that go one way fit together, they issue
/// once.
TEST(Divergence, LanesOfTwoWarpsIssueAsOne) {
  std::string work;
  for (int n = 0; n < 30; ++n) work += "add.u32 %r3, %r3, 1;\n";
  // Even lanes of warp 0 and odd lanes of warp 1 go one way.
  const std::string text = kernel(
      "shr.u32 %r2, %r1, 5; add.u32 %r2, %r2, %r1; and.b32 %r2, %r2, 1; mov.u32 %r3, 0;\n"
      "setp.eq.u32 %p1, %r2, 0; bar.sync 0;\n"
      "@%p1 bra EVEN;\n" +
      work + "bra JOIN;\nEVEN:\n" + work + "JOIN: add.u32 %r4, %r3, 1;\n");
  const auto issued = [&](const char* divergence) {
    Machine machine(text.c_str(), {{"scheduler.divergence", divergence}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 64);
    machine.run();
    return machine.gpu().take_ended().at(0).warp_instructions;
  };
  // Of 4 x 30, half can be saved; while one of the warps is still fetching they are apart.
  EXPECT_LE(issued("dynamic_warps"), issued("stack") - 30);
}

/// Fung et al., MICRO 2007, section 4.3: in a loop whose length differs from lane to lane, lanes of
/// different warps meet more often if the instruction at which most of them wait issues first.
TEST(Divergence, TheMajorityFillsMoreLanesOfADivergentLoop) {
  // Each lane goes around 1 to 32 times, in another order in each warp, and takes one of two ways
  // each time.
  const std::string text = kernel(
      "shr.u32 %r2, %r1, 5; mul.lo.u32 %r2, %r2, 11; add.u32 %r2, %r2, %r1; mul.lo.u32 %r2, %r2, "
      "13;\n"
      "and.b32 %r2, %r2, 31; add.u32 %r2, %r2, 1; mov.u32 %r3, 0;\n"
      "bar.sync 0;\n"
      "LOOP: add.u32 %r5, %r2, %r3; and.b32 %r5, %r5, 3; setp.eq.u32 %p1, %r5, 0;\n"
      "@%p1 bra RARE;\n"
      "mul.lo.u32 %r6, %r2, 3; add.u32 %r6, %r6, %r2; mul.lo.u32 %r6, %r6, 5; bra NEXT;\n"
      "RARE: mul.lo.u32 %r6, %r2, 7; add.u32 %r6, %r6, %r2; mul.lo.u32 %r6, %r6, 9;\n"
      "NEXT: add.u32 %r3, %r3, %r6; sub.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0;\n"
      "@%p2 bra LOOP;\n"
      "add.u32 %r4, %r3, 1;\n");
  const auto lanes_per_issue = [&](const char* leader) {
    Machine machine(text.c_str(), {{"scheduler.divergence", "dynamic_warps"},
                                   {"scheduler.formation_leader", leader},
                                   {"scheduler.count", "1"},
                                   {"scheduler.dispatch_width", "1"},
                                   {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 512);
    machine.run();
    const GridRecord grid = machine.gpu().take_ended().at(0);
    return static_cast<double>(grid.thread_instructions) /
           static_cast<double>(grid.warp_instructions);
  };
  const double majority = lanes_per_issue("majority");
  EXPECT_GT(majority, 1.1 * lanes_per_issue("policy"));
  EXPECT_GT(majority, lanes_per_issue("minority"));
}

// A lane behind whose fence others of its warp spin, with accesses of theirs always under way.
TEST(SeveralPathsOfAWarp, AFenceDoesNotWaitForWhatOthersIssueBehindIt) {
  std::string turns;
  for (const char* turn : {"A", "B", "C", "D"}) {
    turns += fmt::format(
        "{}: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra {};\n"
        "ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1;\n"
        "st.volatile.global.u32 [%rd1+4], %r3; membar.gl; atom.global.exch.b32 %r2, [%rd1], 0;\n",
        turn, turn);
  }
  for (const char* divergence :
       {"independent", "dynamic_warps", "subdivided_warps", "compacted_warps"}) {
    Machine machine(kernel(turns).c_str(),
                    {{"scheduler.divergence", divergence}, {"gpu.max_cycles", "20000000"}});
    machine.launch("kernel", 1, 32);
    machine.run();
    for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
    EXPECT_EQ(machine.out(1), 4u * 32) << divergence;
  }
}

}  // namespace
}  // namespace raddle::machine
