// Opcode merging on the machine: the same results under every scheme, and the saving.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "machine/control_flow/random_program.h"
#include "machine/kernels.h"
#include "machine/lane_controls.h"
#include "machine/settings.h"
#include "mechanisms/merge/common_subsequence.h"

namespace raddle::machine {
namespace {

using mechanisms::merge::common_subsequence;
using test::Machine;
using test::RandomProgram;
using test::Settings;

std::string common(const std::string& a, const std::string& b) {
  std::string found;
  const auto same = [&](std::size_t i, std::size_t j) { return a[i] == b[j]; };
  for (const auto& [i, j] : common_subsequence(a.size(), b.size(), same)) {
    EXPECT_EQ(a[i], b[j]);
    found += a[i];
  }
  return found;
}

// Figure 37 (M mul, L ld, S st, D mad, A add), and appendix A.
TEST(CommonSubsequence, OfTheThesis) {
  EXPECT_EQ(common("MLSDMALS", "LSAALSA").size(), 5u);
  EXPECT_EQ(common("AXYT", "AYZX").size(), 2u);
  EXPECT_EQ(common("", "AYZX"), "");
}

/// Lanes with bit `bit` of their number take one side, the others the other; each side has two more
/// instructions of its own than the eight that both have in common.
std::string two_sides(unsigned bit) {
  std::string sides[2];
  for (unsigned side = 0; side < 2; ++side) {
    for (unsigned n = 0; n < 4; ++n) {
      sides[side] +=
          fmt::format("  mad.lo.u32 %r{0}, %r{0}, %r9, {1};\n  xor.b32 %r{0}, %r{0}, {2};\n",
                      4 + side, 3 * n + side + 1, 77 * n + side);
    }
  }
  return fmt::format(R"(.visible .entry sides(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd2, [out];
  mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd5, %rd2, %rd3;
  add.u32 %r9, %r3, 5; mov.u32 %r4, %r3; mov.u32 %r5, %r3;
  and.b32 %r8, %r3, {}; setp.ne.u32 %p, %r8, 0;
  @%p bra ODD;
  popc.b32 %r4, %r4; popc.b32 %r4, %r4;
{}  mov.u32 %r6, %r4;
  bra MEET;
ODD:
  clz.b32 %r5, %r5; clz.b32 %r5, %r5;
{}  mov.u32 %r6, %r5;
MEET:
  st.global.u32 [%rd5], %r6;
  ret;
}})",
                     bit, sides[0], sides[1]);
}

std::uint32_t expected(std::uint32_t thread, unsigned bit) {
  const unsigned side = (thread & bit) != 0 ? 1 : 0;
  std::uint32_t value = thread;
  for (unsigned n = 0; n < 2; ++n) {
    value = static_cast<std::uint32_t>(side == 0 ? std::popcount(value) : std::countl_zero(value));
  }
  for (unsigned n = 0; n < 4; ++n)
    value = (value * (thread + 5) + 3 * n + side + 1) ^ (77 * n + side);
  return value;
}

struct Ran {
  std::uint64_t instructions = 0;
  Cycle cycles = 0;
};

Ran run(unsigned bit, const char* mechanisms, const Settings& more = {}) {
  Settings settings{
      {"gpu.mechanisms", mechanisms}, {"gpu.sms", "1"}, {"passes.short_branches", "false"}};
  settings.insert(settings.end(), more.begin(), more.end());
  const std::string text = two_sides(bit);
  Machine machine(text.c_str(), settings);
  machine.launch("sides", 1, 64);
  machine.run();
  for (std::uint32_t n = 0; n < 64; ++n) EXPECT_EQ(machine.out(n), expected(n, bit)) << n;
  const GridRecord ended = machine.gpu().take_ended().at(0);
  return {ended.warp_instructions, ended.cycles()};
}

// Of each warp that takes both ways, eight pairs save an instruction each, and the jump goes.
TEST(Merge, PairsAreIssuedOnce) {
  EXPECT_EQ(run(1, "").instructions - run(1, "merge").instructions, 2 * (9 + 1u));
}

// Warps whose lanes all go one way save the jump alone (a warp in two has none): the segments of the
// other side are not in their way.
TEST(Merge, OfOneSideTheOtherIsSkipped) {
  EXPECT_EQ(run(32, "").instructions - run(32, "merge").instructions, 1u);
}

TEST(Merge, IsFasterWhereLanesPart) { EXPECT_LT(run(1, "merge").cycles, run(1, "").cycles); }

/// One side loads a value, the other one computes, in registers that are the same: what the side that
/// computes has in common with the other needs nothing that was loaded.
constexpr const char* kLoadBesideSums = R"(.visible .entry sides(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  and.b32 %r8, %r3, 1; setp.ne.u32 %p, %r8, 0;
  @%p bra ODD;
  mul.lo.u32 %r10, %r3, %r3;
  xor.b32 %r11, %r10, %r3; xor.b32 %r11, %r11, 7; xor.b32 %r11, %r11, %r3;
  sub.u32 %r6, %r11, %r10;
  bra MEET;
ODD:
  ld.global.u32 %r12, [%rd4];
  xor.b32 %r13, %r3, 3; xor.b32 %r13, %r13, 9; xor.b32 %r13, %r13, 5;
  add.u32 %r6, %r13, %r12;
MEET:
  st.global.u32 [%rd5], %r6;
  ret;
})";

Cycle with_scoreboards(const char* scoreboards) {
  Machine machine(kLoadBesideSums, {{"gpu.mechanisms", "merge"},
                                    {"gpu.sms", "1"},
                                    {"merge.scoreboards", scoreboards},
                                    {"passes.short_branches", "false"}});
  machine.launch("sides", 1, 32);
  machine.run();
  for (std::uint32_t n = 0; n < 32; ++n) {
    const std::uint32_t sum = n * n;
    EXPECT_EQ(machine.out(n), n % 2 == 0 ? (sum ^ n ^ 7 ^ n) - sum : (n ^ 3 ^ 9 ^ 5) + 3 * n);
  }
  return machine.gpu().take_ended().at(0).cycles();
}

// Section 4.6, Figure 40.
TEST(Merge, WithTwoScoreboardsASideDoesNotWaitForTheOthersLoads) {
  EXPECT_LT(with_scoreboards("2"), with_scoreboards("1"));
}

// Section 5.1: six operands, of one side behind those of the other.
TEST(Merge, OverlappedOperandsComeNoLater) {
  EXPECT_LE(run(1, "merge", {{"merge.overlapped", "true"}}).cycles, run(1, "merge").cycles);
}

// Figure 42: nine pairs in two stretches, and one of each side: with so many entries there is nothing to
// add, with two less there is a branch.
TEST(Merge, ALimitOfTheStackTakesBranches) {
  const auto instructions = [](const char* entries) {
    return run(1, "merge", {{"merge.stack_entries", entries}}).instructions;
  };
  EXPECT_EQ(instructions("3"), instructions("0"));
  EXPECT_EQ(instructions("2"), instructions("0") + 2);
}

void expect_results(const RandomProgram& program, const Settings& settings, std::uint32_t threads,
                    const std::string& what) {
  Settings all{
      {"gpu.mechanisms", "merge"}, {"gpu.compute_major", "7"}, {"passes.short_branches", "false"}};
  all.insert(all.end(), settings.begin(), settings.end());
  const std::string text = program.ptx();
  Machine machine(text.c_str(), all);
  machine.launch("kernel", 1, threads);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  const auto results = program.results();
  for (std::uint32_t n = 0; n < threads; ++n) {
    ASSERT_EQ(machine.out(n), results[n]) << what << ", thread " << n << "\n" << text;
  }
}

TEST(Merge, RandomProgramsComputeTheSame) {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    const std::uint32_t threads = seed % 2 == 0 ? 64 : 40;
    expect_results(RandomProgram(seed, threads),
                   {{"gpu.functional", seed % 4 == 0 ? "false" : "true"},
                    {"merge.reorder", seed % 3 == 0 ? "true" : "false"}},
                   threads, "seed " + std::to_string(seed));
  }
}

class MergeUnder : public testing::TestWithParam<const LaneControlKind*> {};

// Preempted, with two threads, and with the settings of merging, as the seed says.
TEST_P(MergeUnder, RandomProgramsComputeTheSame) {
  const std::string scheme(GetParam()->name);
  for (std::uint32_t seed = 1001; seed <= 1120; ++seed) {
    const RandomProgram program(seed, 64);
    std::mt19937 random(seed);
    const auto one_of = [&](std::initializer_list<const char*> values) {
      return values.begin()[random() % values.size()];
    };
    expect_results(program,
                   {{"scheduler.divergence", scheme.c_str()},
                    {"gpu.functional", one_of({"true", "false", "false", "false"})},
                    {"gpu.preempt_every", one_of({"0", "300", "700", "1500"})},
                    {"gpu.threads", one_of({"1", "2"})},
                    {"merge.memory", one_of({"true", "false"})},
                    {"merge.reorder", one_of({"true", "false"})},
                    {"merge.overlapped", one_of({"true", "false"})},
                    {"merge.scoreboards", one_of({"1", "2"})},
                    {"merge.stack_entries", one_of({"0", "1", "2", "5"})}},
                   64, scheme + ", seed " + std::to_string(seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, MergeUnder, testing::ValuesIn(all_lane_controls()),
                         [](const auto& scheme) { return std::string(scheme.param->name); });

}  // namespace
}  // namespace raddle::machine
