// Thread block compaction: what a block issues, by the example of the paper, and which warps wait
// for which.
#include <gmock/gmock-matchers.h>

#include "kernels.h"

namespace raddle::machine {
namespace {

using test::Machine;

/// Figure 23 of irregular-control-flow: A, then B or C, then D, each of as many instructions. Of two
/// warps some lanes take C, others in each; both have lanes for B in the same places.
constexpr const char* kFigure23 = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  shr.u32 %r3, %r1, 3;
  and.b32 %r3, %r3, 3;
  setp.eq.u32 %p1, %r3, %r2;
  @%p1 bra C;
B: add.u32 %r4, %r1, 1; add.u32 %r5, %r4, 1; add.u32 %r6, %r5, 1; add.u32 %r7, %r6, 1;
  add.u32 %r8, %r7, 1;
  bra D;
C: add.u32 %r4, %r1, 1; add.u32 %r5, %r4, 1; add.u32 %r6, %r5, 1; add.u32 %r7, %r6, 1;
  add.u32 %r8, %r7, 1; add.u32 %r9, %r8, 1;
D: add.u32 %r4, %r1, 1; add.u32 %r5, %r4, 1; add.u32 %r6, %r5, 1; add.u32 %r7, %r6, 1;
  add.u32 %r8, %r7, 1;
  ret;
})";
constexpr std::uint64_t kOfABlock = 6;  // instructions

TEST(Compaction, WarpsOfOneWayBecomeAsFewAsTheyFill) {
  const auto issued = [](const char* scheme, std::uint64_t counts[3]) {
    Machine machine(kFigure23, {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 64);
    machine.run();
    const StatGroup& all = machine.gpu().statistics();
    counts[0] = total(all, "divergence", "compactions");
    counts[1] = total(all, "divergence", "uncompacted");
    counts[2] = total(all, "divergence", "compacted");
    return machine.gpu().take_ended().at(0).warp_instructions;
  };
  std::uint64_t counts[3];
  // Figure 24: eight blocks in turn, and seven, 12.5 % less. C is one warp; A, B and D are two.
  EXPECT_EQ(issued("stack", counts), 8 * kOfABlock);
  EXPECT_EQ(issued("compacted_warps", counts), 7 * kOfABlock);
  EXPECT_EQ(counts[0], 2u);
  EXPECT_EQ(counts[1], 4u);
  EXPECT_EQ(counts[2], 3u);
}

/// Eight warps, whose threads go either way at random. A way becomes as many warps as there are threads
/// for it in one lane, at most; the lanes of a home warp are in many of these.
TEST(Compaction, LanesOfManyWarpsArePackedInTheirPlaces) {
  constexpr std::uint32_t kWarps = 8, kLength = 20;
  std::string work;
  for (std::uint32_t n = 0; n < kLength; ++n) work += "add.u32 %r4, %r4, 1;\n";
  const std::string text =
      ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<12>; .reg .pred %p<3>;\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r4, 0; mul.lo.u32 %r2, %r1, 0x9e3779b1;\n"
      "shr.u32 %r2, %r2, 20; and.b32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 0;\n"
      "@%p1 bra EVEN;\n" +
      work + "bra JOIN;\nEVEN:\n" + work + "JOIN: add.u32 %r5, %r4, 1;\nret; }\n";
  std::uint32_t most[2] = {0, 0};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t threads[2] = {0, 0};
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
      ++threads[(warp * 32 + lane) * 0x9e3779b1u >> 20 & 1];
    }
    for (int way = 0; way < 2; ++way) most[way] = std::max(most[way], threads[way]);
  }
  Machine machine(text.c_str(), {{"scheduler.divergence", "compacted_warps"}, {"gpu.sms", "1"}});
  machine.launch("kernel", 1, 32 * kWarps);
  machine.run();
  ASSERT_LT(most[0] + most[1], 2 * kWarps);
  EXPECT_EQ(machine.gpu().take_ended().at(0).warp_instructions,
            kWarps * (7 + 2) + most[0] * kLength + most[1] * (kLength + 1));
  EXPECT_EQ(total(machine.gpu().statistics(), "divergence", "compacted"), most[0] + most[1]);
}

/// Threads leave a loop after different rounds: in each those that stay are packed anew.
TEST(Compaction, AreDoneAtEachRoundOfALoop) {
  constexpr std::uint32_t kWarps = 8;
  constexpr const char* kRounds = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, 0x9e3779b1;
  shr.u32 %r2, %r2, 27;
LOOP: sub.u32 %r2, %r2, 1;
  add.u32 %r3, %r3, 7;
  add.u32 %r3, %r3, 9;
  setp.lt.s32 %p1, %r2, 0;
  @!%p1 bra LOOP;
  ret;
})";
  std::uint32_t rounds = 0;  // of warps
  for (std::uint32_t round = 0; round < 32; ++round) {
    std::uint32_t most = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      std::uint32_t threads = 0;
      for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        threads += ((warp * 32 + lane) * 0x9e3779b1u >> 27) >= round;
      }
      most = std::max(most, threads);
    }
    rounds += most;
  }
  Machine machine(kRounds, {{"scheduler.divergence", "compacted_warps"}, {"gpu.sms", "1"}});
  machine.launch("kernel", 1, 32 * kWarps);
  machine.run();
  EXPECT_EQ(machine.gpu().take_ended().at(0).warp_instructions, kWarps * (3 + 1) + rounds * 5);
}

/// Warp 0 leaves the loop at once, warp 1 after 100 rounds; each notes when it is behind.
TEST(Compaction, AWarpWaitsForItsBlockWhereWaysMeet) {
  constexpr const char* kLate = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  mul.lo.u32 %r3, %r2, 100;
LOOP: sub.s32 %r3, %r3, 1;
  setp.gt.s32 %p1, %r3, 0;
  @%p1 bra LOOP;
  mov.u32 %r4, %clock;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  st.global.u32 [%rd2], %r4;
  ret;
})";
  for (const char* scheme : {"stack", "compacted_warps"}) {
    Machine machine(kLate, {{"scheduler.divergence", scheme}, {"gpu.sms", "1"}});
    machine.launch("kernel", 1, 64);
    machine.run();
    const std::uint32_t first = machine.out(0), second = machine.out(32);
    if (std::string_view(scheme) == "stack") {
      EXPECT_LT(first + 300, second);
    } else {
      EXPECT_LT(std::max(first, second) - std::min(first, second), 50u);
    }
  }
}

/// Lanes of one warp spin for what those of another do behind the loop: published hardware hangs.
TEST(Compaction, WarpsThatSpinForOthersOfTheirBlockGetOn) {
  constexpr const char* kSpin = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
LOOP: ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.and.u32 %p2, %r2, 0, %p1;
  @%p2 bra LOOP;
  mov.u32 %r3, 7;
  @!%p1 st.volatile.global.u32 [%rd1], %r3;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  st.global.u32 [%rd2+4], %r3;
  ret;
})";
  Machine machine(kSpin, {{"scheduler.divergence", "compacted_warps"},
                          {"gpu.sms", "1"},
                          {"gpu.max_cycles", "3000000"}});
  machine.launch("kernel", 1, 64);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  for (std::uint32_t thread = 0; thread < 64; ++thread) EXPECT_EQ(machine.out(thread + 1), 7u);
}

}  // namespace
}  // namespace raddle::machine
