// Preempted blocks, under every scheme of lane control. They continue elsewhere without any change
// of results.
#include <gmock/gmock-matchers.h>

#include <map>

#include "generated_kernel.h"
#include "preemptor.h"

namespace raddle::machine {
namespace {

using namespace test;

/// What a block may be in the middle of.
const std::map<std::string, std::string> kCases = {
    {"Loads", "ld.global.u32 %r2, [%rd4]; ld.global.u32 %r3, [%rd4+256]; add.u32 %r2, %r2, %r3;"},
    {"LongLatencies",
     "cvt.rn.f32.u32 %r3, %r1; sqrt.rn.f32 %r3, %r3; rcp.rn.f32 %r3, %r3; sqrt.rn.f32 %r2, %r3;"},
    {"Fences",
     "st.global.u32 [%rd5], %r1; membar.gl; ld.volatile.global.u32 %r2, [%rd5]; membar.sys;"
     "add.u32 %r2, %r2, 5;"},
    {"Barriers",
     "st.shared.u32 [%r21], %r1; mov.u32 %r4, 200;\n"
     "setp.ge.u32 %p1, %r1, 32; @%p1 bra MEET;\n"  // the first warp comes late
     "LATE: sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LATE;\n"
     "MEET: bar.sync 0; xor.b32 %r5, %r21, 252; ld.shared.u32 %r2, [%r5];"},
    {"Reductions at barriers",
     "and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 1; mov.u32 %r4, 100;\n"
     "setp.ge.u32 %p3, %r1, 32; @%p3 bra MEET;\n"
     "LATE: sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra LATE;\n"
     "MEET: barrier.sync 1; bar.red.popc.u32 %r2, 2, %p1;"},
    {"Sleeps", "nanosleep.u32 500; mov.u32 %r2, %r1; nanosleep.u32 500; add.u32 %r2, %r2, 1;"},
    {"Divergence",
     "and.b32 %r4, %r1, 7; mov.u32 %r2, 1; and.b32 %r6, %r1, 3;\n"
     "setp.lt.u32 %p1, %r4, 3; @%p1 bra LOW;\n"
     "HIGH: mad.lo.u32 %r2, %r2, 5, %r4; sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0;\n"
     "@%p2 bra HIGH; bra JOIN;\n"
     "LOW: mul.lo.u32 %r2, %r2, 7; setp.eq.u32 %p3, %r6, 1; @%p3 bra ODD; add.u32 %r2, %r2, 2;\n"
     "bra JOIN; ODD: ld.global.u32 %r5, [%rd4]; add.u32 %r2, %r2, %r5; JOIN: add.u32 %r2, %r2, 1;"},
    {"LocalArrays",
     "st.local.u32 [%r22], %r1; st.local.u32 [%r22+4], 7; st.local.u32 [%r22+8], 9;\n"
     "and.b32 %r4, %r1, 1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r22, %r4; ld.local.u32 %r2, [%r4];\n"
     "st.local.u32 [%r4], %r2; ld.local.u32 %r5, [%r22+8]; add.u32 %r2, %r2, %r5;"},
    {"Calls",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), inc, (x);\n"
     "ld.param.b32 %r2, [y]; }"},
    {"Atomics",
     "atom.shared.add.u32 %r3, [%r21], 4; atom.global.add.u32 %r3, [%rd5+4096], %r1;\n"
     "ld.shared.u32 %r2, [%r21]; red.global.max.u32 [%rd5+4096], %r2;"},
    {"Exits",
     "setp.ge.u32 %p1, %r1, 40; @%p1 bra OUT; and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0;\n"
     "st.global.u32 [%rd5], %r1; @%p2 exit; mov.u32 %r2, 6; ld.global.u32 %r3, [%rd4]; \n"
     "add.u32 %r2, %r2, %r3; bra END; OUT: exit; END: nanosleep.u32 100;"},
    {"Shuffles",
     "mov.u32 %r2, %r1; shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xffffffff; add.u32 %r2, %r2, %r3;\n"
     "vote.sync.ballot.b32 %r3, %p1, 0xffffffff; add.u32 %r2, %r2, %r3;"},
};

/// A scheme, and of dynamic_warps who leads.
struct Scheme {
  const char* divergence;
  const char* leader = "majority";
  Settings settings() const {
    return {{"scheduler.divergence", divergence},
            {"scheduler.formation_leader", leader},
            {"gpu.sms", "2"}};
  }
};

class Preempted : public testing::TestWithParam<Scheme> {};

// One block alone, preempted once in each run, later and later.
TEST_P(Preempted, ABlockGoesOnWhateverItIsDoing) {
  for (const auto& [name, text] : kCases) {
    const std::string kernels = body(text);
    Settings settings = GetParam().settings();
    const Result expected = run(kernels, "kernel", 1, 64, settings);
    std::uint64_t left = 0;
    const Cycle step = std::max<Cycle>(7, expected.cycles / 40);
    for (Cycle at = 300; at < expected.cycles; at += step) {
      Settings preempted = preempting(std::to_string(at));
      preempted.insert(preempted.end(), settings.begin(), settings.end());
      ASSERT_EQ(run(kernels, "kernel", 1, 64, preempted, &left), expected) << name << " at " << at;
    }
    EXPECT_GT(left, 10u) << name;
  }
}

TEST_P(Preempted, GeneratedKernelsComputeTheSame) {
  std::uint64_t left = 0;
  for (unsigned seed = 0; seed < 25; ++seed) {
    const unsigned threads = seed % 3 == 0 ? 64 : 96;
    const std::string kernels = GeneratedKernel(seed, threads).text();
    Settings settings = GetParam().settings();
    const Result expected = run(kernels, "generated", 6, threads, settings);
    const std::string text = std::to_string(seed);
    settings.emplace_back("gpu.preempt_every", "300");
    settings.emplace_back("gpu.preempt_seed", text.c_str());
    ASSERT_EQ(run(kernels, "generated", 6, threads, settings, &left), expected)
        << "seed " << seed << "\n"
        << kernels;
  }
  EXPECT_GT(left, 100u);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, Preempted,
    testing::Values(Scheme{"stack"}, Scheme{"independent"}, Scheme{"dual_path"},
                    Scheme{"multi_path"}, Scheme{"dynamic_warps"}, Scheme{"likely_points"},
                    Scheme{"subdivided_warps"}, Scheme{"compacted_warps"},
                    Scheme{"dynamic_warps", "minority"}, Scheme{"dynamic_warps", "pc"},
                    Scheme{"dynamic_warps", "policy"}),
    [](const auto& info) {
      const std::string leader = info.param.leader;
      return info.param.divergence + (leader == "majority" ? "" : "_" + leader);
    });

/// Each thread stores 20 times, every fifth one far outside `out`, and leaves how often it did.
constexpr const char* kWildLoop = R"(
.visible .entry wild(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<3>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  mov.u64 %rd4, %rd2;
  rem.u32 %r3, %r1, 5;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 add.s64 %rd4, %rd4, 0x10000000;
  mov.u32 %r4, 0;
AGAIN:
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd4], %r4;
  setp.lt.u32 %p2, %r4, 20;
  @%p2 bra AGAIN;
  st.global.u32 [%rd2], %r4;
  ret;
})";

// A lane whose access is skipped goes on, and so does its block elsewhere.
TEST_P(Preempted, FaultsThatAreSkippedAreThoseOfBlocksThatStay) {
  std::uint64_t left = 0;
  for (const char* every : {"0", "60", "200"}) {
    Settings settings = GetParam().settings();
    settings.emplace_back("gpu.keep_going", "true");
    settings.emplace_back("gpu.preempt_every", every);
    Machine machine(kWildLoop, settings);
    machine.launch("wild", 12, 64);
    machine.run();
    for (std::uint32_t t = 0; t < 12 * 64; ++t) ASSERT_EQ(machine.out(t), 20u) << "thread " << t;
    const std::vector<FaultReport> faults = machine.gpu().take_faults();
    ASSERT_EQ(faults.size(), 1u) << "told once";
    EXPECT_EQ(faults[0].kind, isa::Fault::Kind::out_of_bounds);
    const std::uint64_t counted = total(machine.gpu().statistics(), "gpu", "faults");
    if (std::string(GetParam().divergence) == "stack") {
      EXPECT_EQ(counted, 12u * 2 * 20) << "of each warp, each time around";
    } else {
      EXPECT_GE(counted, 12u * 2 * 20) << "lanes of a warp may come apart";
    }
    EXPECT_EQ(of_preemption(machine, "left"), of_preemption(machine, "returned"));
    left += of_preemption(machine, "left");
  }
  EXPECT_GT(left, 10u);
}

}  // namespace
}  // namespace raddle::machine
