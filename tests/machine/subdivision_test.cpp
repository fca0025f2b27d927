// Dynamic warp subdivision: lanes with their data do not wait for lanes that still wait for memory.
#include <fmt/core.h>
#include <gmock/gmock-matchers.h>

#include "kernels.h"

namespace raddle::machine {
namespace {

using test::Machine;

/// Lanes 0 to 15 load what the warp has loaded before, and the others a line that nobody has.
/// Then all load, with the value's help, what nobody has either.
constexpr const char* kHalfHits = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  ld.global.u32 %r2, [%rd1];
  and.b32 %r2, %r2, 0;
  setp.lt.u32 %p1, %r1, 16;
  add.u32 %r3, %r2, 8192;
  selp.b32 %r3, %r2, %r3, %p1;
  cvt.u64.u32 %rd2, %r3;
  add.u64 %rd2, %rd2, %rd1;
  ld.global.u32 %r4, [%rd2];
  and.b32 %r4, %r4, 0;
  add.u32 %r5, %r4, 1;
  add.u32 %r5, %r5, 1;
  add.u32 %r5, %r5, 1;
  cvt.u64.u32 %rd3, %r4;
  add.u64 %rd3, %rd3, %rd1;
  ld.global.u32 %r6, [%rd3+200000];
  add.u32 %r7, %r6, 1;
  add.u32 %r7, %r7, 1;
  add.u32 %r7, %r7, 1;
  ret;
})";

constexpr std::uint64_t kInstructions = 21;
/// Behind the first load, up to the second: what both halves of the warp execute by themselves.
constexpr std::uint64_t kApart = 7;

struct Divided {
  std::uint64_t issued = 0, subdivisions = 0, reunions = 0;
  Cycle cycles = 0;
};

Divided run_halves(const char* scheme, const char* when, unsigned blocks = 1) {
  Machine machine(kHalfHits, {{"scheduler.divergence", scheme},
                              {"scheduler.subdivision", when},
                              {"l1.cache_global", "true"},
                              {"gpu.sms", "1"}});
  machine.launch("kernel", blocks, 32);
  machine.run();
  const StatGroup& all = machine.gpu().statistics();
  const GridRecord grid = machine.gpu().take_ended().at(0);
  return {grid.warp_instructions, total(all, "divergence", "subdivisions"),
          total(all, "divergence", "reunions"), grid.end_cycle - grid.start_cycle};
}

/// The paper's first gain: the next miss of those that run ahead overlaps with that of the others, who
/// then find the line on its way (section 3.9 of irregular-control-flow: it may prefetch for them).
TEST(Subdivision, LanesThatHitRunAheadOfThoseThatMiss) {
  const Divided whole = run_halves("stack", "none"),
                divided = run_halves("subdivided_warps", "revive");
  EXPECT_EQ(whole.issued, kInstructions);
  EXPECT_EQ(divided.subdivisions, 1u);
  // Of three misses in a row the second and the third are at once: an access to DRAM takes this long.
  EXPECT_LT(divided.cycles + 250, whole.cycles);
}

/// PC-based re-convergence: the half that ran ahead waits for its own miss when the others come there.
TEST(Subdivision, HalvesReuniteWhereTheFirstWaits) {
  const Divided divided = run_halves("subdivided_warps", "revive");
  EXPECT_EQ(divided.reunions, 1u);
  EXPECT_EQ(divided.issued, kInstructions + kApart);
}

TEST(Subdivision, WithoutItLanesWaitForAll) {
  const Divided divided = run_halves("subdivided_warps", "none");
  EXPECT_EQ(divided.subdivisions, 0u);
  EXPECT_EQ(divided.issued, kInstructions);
}

/// AggressSplit divides whatever else could run; LazySplit only if nothing can when the data come.
TEST(Subdivision, IsRarerWhereOthersHideTheLatency) {
  std::string busy =
      ".visible .entry busy(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<40>; .reg .pred %p<2>; mov.u32 %r1, 400;\n"
      "L: sub.u32 %r1, %r1, 1;\n";
  for (int n = 2; n < 34; ++n) busy += fmt::format("add.u32 %r{}, %r1, {};\n", n, n);
  busy += "setp.ne.u32 %p1, %r1, 0; @%p1 bra L; ret; }\n";
  const std::string both = std::string(kHalfHits) + busy;
  const auto subdivisions = [&](const char* when) {
    Machine machine(both.c_str(), {{"scheduler.divergence", "subdivided_warps"},
                                   {"scheduler.subdivision", when},
                                   {"l1.cache_global", "true"},
                                   {"gpu.sms", "1"}});
    machine.launch("busy", 7, 256);  // some warp can always issue
    machine.launch("kernel", 1, 32);
    machine.run();
    return total(machine.gpu().statistics(), "divergence", "subdivisions");
  };
  EXPECT_EQ(subdivisions("aggressive"), 1u);
  EXPECT_EQ(subdivisions("lazy"), 0u);
}

/// What an interpreter would compute: loops of chained loads, whose addresses are different for each
/// lane, with branches in between.
TEST(Subdivision, TheResultsAreThoseOfTheStack) {
  constexpr const char* kChase = R"(
.visible .entry kernel(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<9>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 12;
  mov.u32 %r9, %r1;
LOOP:
  mad.lo.u32 %r9, %r9, 1664525, 1013904223;
  shr.u32 %r3, %r9, 17;
  and.b32 %r4, %r9, 256;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 and.b32 %r3, %r3, 255;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd3, %rd3, %rd1;
  ld.global.u32 %r5, [%rd3];
  add.u32 %r9, %r9, %r5;
  and.b32 %r6, %r9, 3;
  setp.eq.u32 %p2, %r6, 0;
  @%p2 bra NEXT;
  ld.global.u32 %r7, [%rd3+64];
  xor.b32 %r9, %r9, %r7;
NEXT:
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p3, %r2, 0;
  @%p3 bra LOOP;
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd4, %rd4, %rd2;
  st.global.u32 [%rd4], %r9;
  bar.sync 0;
  ret;
})";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t thread = 0; thread < 128; ++thread) {
    std::uint32_t value = thread;
    for (int round = 0; round < 12; ++round) {
      value = value * 1664525 + 1013904223;
      std::uint32_t index = value >> 17;
      if ((value & 256) == 0) index &= 255;
      value += 3 * index;
      if ((value & 3) != 0) value ^= 3 * (index + 16);
    }
    expected.push_back(value);
  }
  for (const char* when : {"none", "aggressive", "lazy", "revive"}) {
    for (const char* meeting : {"post_dominator", "pc"}) {
      for (const char* preempt_every : {"0", "500"}) {
        Machine machine(kChase, {{"scheduler.divergence", "subdivided_warps"},
                                 {"scheduler.subdivision", when},
                                 {"scheduler.subdivision_meeting", meeting},
                                 {"gpu.preempt_every", preempt_every},
                                 {"l1.cache_global", "true"},
                                 {"gpu.sms", "1"}});
        machine.launch("kernel", 1, 128);
        machine.run();
        for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
        std::vector<std::uint32_t> results;
        for (std::uint32_t thread = 0; thread < 128; ++thread)
          results.push_back(machine.out(thread));
        ASSERT_EQ(results, expected) << when << " " << meeting << " " << preempt_every;
        const std::uint64_t divided =
            total(machine.gpu().statistics(), "divergence", "subdivisions");
        EXPECT_EQ(divided == 0, std::string_view(when) == "none");
      }
    }
  }
}

}  // namespace
}  // namespace raddle::machine
