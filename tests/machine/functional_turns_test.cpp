// Turns of blocks on the functional machine: blocks that wait for others soon get another turn, and
// results do not depend on the number of host threads.
#include <fmt/core.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels.h"
#include "machine/profile.h"

namespace raddle::machine {
namespace {

using namespace test;

constexpr std::pair<const char*, const char*> kUntimed{"gpu.functional", "true"};
constexpr std::pair<const char*, const char*> kManyBlocks{"gpu.sms", "128"};

/// Thread 0 of each block waits at three barriers over the whole grid, then leaves in out[1 + its
/// block] how many had come to the third when it went on: out[0] counts arrivals.
constexpr const char* kGridBarrier = R"(
.visible .entry meet(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, %tid.x;
  setp.ne.u32 %p1, %r3, 0;
  mov.u32 %r4, 0;
NEXT:
  add.u32 %r4, %r4, %r2;
  @%p1 bra JOIN;
  atom.global.add.u32 %r5, [%rd2], 1;
WAIT:
  ld.volatile.global.u32 %r6, [%rd2];
  setp.lt.u32 %p2, %r6, %r4;
  @%p2 bra WAIT;
JOIN:
  bar.sync 0;
  mul.lo.u32 %r7, %r2, 3;
  setp.lt.u32 %p3, %r4, %r7;
  @%p3 bra NEXT;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4+4], %r6;
DONE:
  ret;
})";

/// Each block waits for that which is `in[0]` (+1 or -1, as a number) from it, and counts one more.
constexpr const char* kChain = R"(
.visible .entry chain(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.global.u32 %r9, [%rd1];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  add.u32 %r3, %r1, %r9;
  mov.u32 %r5, 0;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra SET;
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd4, %rd2, %rd3;
WAIT:
  ld.volatile.global.u32 %r5, [%rd4];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra WAIT;
SET:
  add.u32 %r5, %r5, 1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.volatile.global.u32 [%rd4], %r5;
  ret;
})";

TEST(FunctionalTurns, ABarrierOverTheGridTakesInstructionsInProportionToItsBlocks) {
  for (const std::uint32_t blocks : {80u, 160u, 640u, 2000u}) {
    Machine machine(kGridBarrier, {kUntimed, kManyBlocks});
    machine.launch("meet", blocks, 64);
    machine.run();
    for (std::uint32_t b = 0; b < blocks; ++b) ASSERT_EQ(machine.out(1 + b), 3 * blocks);
    // Each must execute some 40; what it polls while it waits comes to that.
    EXPECT_LT(machine.gpu().take_ended().at(0).warp_instructions, 500 * blocks) << blocks;
  }
}

TEST(FunctionalTurns, ChainsOfBlocksGoBothWays) {
  for (const std::uint32_t step : {1u, ~0u}) {
    constexpr std::uint32_t kBlocks = 640;
    Machine machine(kChain, {kUntimed, kManyBlocks});
    machine.in(0) = step;
    machine.launch("chain", kBlocks, 32);
    machine.run();
    EXPECT_EQ(machine.out(step == 1 ? 0 : kBlocks - 1), kBlocks);
    EXPECT_LT(machine.gpu().take_ended().at(0).warp_instructions, 500 * kBlocks);
  }
}

/// A kernel of random steps. Threads own their elements of `in` and `out`, but for the first 64 of
/// `in`, on which they do atomics, and which they look at: a program without races, whose results
/// depend on the order of the blocks.
class RandomKernel {
 public:
  static constexpr std::uint32_t kLock = 63;
  explicit RandomKernel(unsigned seed) : random_(seed) {
    text_ = R"(
.shared .align 4 .b8 tile[512];
.visible .entry steps(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<32>; .reg .b64 %rd<12>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;  // own element of in, behind the cells
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r6, tile;
  shl.b32 %r7, %r3, 2;
  add.u32 %r8, %r6, %r7;
  ld.global.u32 %r10, [%rd4+256];
)";
    const unsigned steps = 3 + pick(12);
    for (unsigned n = 0; n < steps; ++n) step(n);
    text_ += "  st.global.u32 [%rd5], %r10;\n  ret;\n}";
  }
  const std::string& text() const { return text_; }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string cell() { return fmt::format("[%rd1+{}]", 4 * pick(62)); }

  void step(unsigned n) {
    switch (pick(12)) {
      case 0:
        text_ += fmt::format("  atom.global.add.u32 %r11, {}, 1;\n", cell()) + kMix;
        break;
      case 1:
        text_ += fmt::format("  atom.global.exch.b32 %r11, {}, %r10;\n", cell()) + kMix;
        break;
      case 2:
        text_ += fmt::format("  red.global.max.u32 {}, %r10;\n", cell());
        break;
      case 3:
        text_ += fmt::format("  ld.volatile.global.u32 %r11, {};\n", cell()) + kMix;
        break;
      case 4:
        text_ += std::string("  mov.u32 %r11, %clock;\n") + kMix;
        break;
      case 5:  // of different length in each lane and block
        loop(n, "  rem.u32 %r12, %r4, 37;\n");
        break;
      case 6:
        loop(n, fmt::format("  mov.u32 %r12, {};\n", 1 << pick(12)));
        break;
      case 7:  // by way of shared memory
        text_ += fmt::format(
            "  st.shared.u32 [%r8], %r10;\n  bar.sync {0};\n  xor.b32 %r12, %r7, 4;\n"
            "  add.u32 %r12, %r12, %r6;\n  ld.shared.u32 %r11, [%r12];\n  bar.sync {0};\n{1}",
            pick(4), kMix);
        break;
      case 8:
        text_ += fmt::format(
            "  and.b32 %r12, %r10, 1;\n  setp.eq.u32 %p1, %r12, 0;\n"
            "  bar.red.popc.u32 %r11, {}, %p1;\n{}",
            pick(4), kMix);
        break;
      case 9:
        text_ += "  st.global.u32 [%rd5], %r10;\n  ld.global.u32 %r11, [%rd4+256];\n" + kMix;
        break;
      case 10:  // a critical section of one thread in each block
        text_ += fmt::format(
            "  setp.ne.u32 %p2, %r3, 0;\n  @%p2 bra FREE{0};\n"
            "LOCK{0}:\n  atom.global.cas.b32 %r11, [%rd1+252], 0, 1;\n"
            "  setp.ne.u32 %p3, %r11, 0;\n  @%p3 bra LOCK{0};\n"
            "  ld.volatile.global.u32 %r11, [%rd1+248];\n  mad.lo.u32 %r11, %r11, 5, %r10;\n"
            "  st.volatile.global.u32 [%rd1+248], %r11;\n  membar.gl;\n"
            "  atom.global.exch.b32 %r12, [%rd1+252], 0;\nFREE{0}:\n",
            n);
        break;
      default:  // the third warp of some blocks ends
        text_ += fmt::format(
            "  shr.u32 %r12, %r3, 5;\n  and.b32 %r13, %r1, {};\n  sub.u32 %r12, %r12, %r13;\n"
            "  setp.eq.u32 %p4, %r12, 2;\n  @%p4 bra OUT{};\n  bra STAY{};\nOUT{}:\n"
            "  st.global.u32 [%rd5], %r10;\n  exit;\nSTAY{}:\n",
            pick(2), n, n, n, n);
    }
  }
  void loop(unsigned n, const std::string& count) {
    text_ += count + fmt::format(
                         "LOOP{0}:\n  setp.eq.u32 %p5, %r12, 0;\n  @%p5 bra AFTER{0};\n"
                         "  mad.lo.u32 %r10, %r10, 1664525, 1013904223;\n  sub.u32 %r12, %r12, 1;\n"
                         "  bra LOOP{0};\nAFTER{0}:\n",
                         n);
  }

  const std::string kMix = "  mad.lo.u32 %r10, %r10, 31, %r11;\n";
  std::mt19937 random_;
  std::string text_;
};

/// All that a run leaves behind.
std::string outcome(Machine& machine) {
  std::string text = fmt::format("now {}", machine.gpu().now());
  for (const GridRecord& grid : machine.gpu().take_ended()) {
    text += fmt::format("; {} {} to {}: {} {}", grid.kernel, grid.start_cycle, grid.end_cycle,
                        grid.warp_instructions, grid.thread_instructions);
  }
  for (const FaultReport& fault : machine.gpu().take_faults()) text += "; " + fault.text;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < Machine::kValues; ++i) {
    sum = sum * 6364136223846793005u + machine.in(i);
    sum = sum * 6364136223846793005u + machine.out(i);
  }
  return text + fmt::format("; memory {:x}", sum);
}

/// Runs `body(machine)` with several numbers of host threads and expects equal outcomes.
template <class Body>
void expect_equal(const std::string& kernels, Settings settings, Body body,
                  const std::string& what = "") {
  std::string expected;
  settings.push_back(kUntimed);
  settings.emplace_back("gpu.threads", "");
  for (const char* threads : {"1", "2", "3", "8"}) {
    settings.back().second = threads;
    Machine machine(kernels.c_str(), settings);
    machine.in(RandomKernel::kLock) = 0;
    body(machine);
    const std::string found = outcome(machine);
    if (expected.empty()) expected = found;
    ASSERT_EQ(found, expected) << threads << " threads " << what;
  }
}

class RandomKernels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomKernels, ResultsDoNotDependOnThreads) {
  const RandomKernel kernel(GetParam());
  const std::uint32_t blocks = 1 + GetParam() * 7 % 60, threads = 32 * (1 + GetParam() % 4);
  expect_equal(
      kernel.text(), {},
      [&](Machine& machine) {
        machine.launch("steps", blocks, threads);
        machine.run();
      },
      kernel.text());
}

TEST_P(RandomKernels, AdvancingInSmallStepsChangesNothing) {
  const RandomKernel kernel(GetParam());
  const auto outcome_of = [&](const char* threads, Cycle step) {
    Machine machine(kernel.text().c_str(), {kUntimed, {"gpu.threads", threads}});
    machine.in(RandomKernel::kLock) = 0;
    machine.launch("steps", 20, 64);
    while (!machine.gpu().idle()) {
      machine.gpu().advance(step == 0 ? kNever : machine.gpu().now() + step);
    }
    return outcome(machine);
  };
  const std::string expected = outcome_of("1", 0);
  EXPECT_EQ(outcome_of("1", 777), expected);
  EXPECT_EQ(outcome_of("3", 1777), expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0u, 24u));

TEST(FunctionalThreads, RunGridsOfSeveralStreamsAlike) {
  const std::string kernels = RandomKernel(101).text();
  expect_equal(kernels, {}, [](Machine& machine) {
    for (int n = 0; n < 5; ++n) machine.launch("steps", 30, 64);
    machine.run();
  });
}

TEST(FunctionalThreads, FindTheSameFaultFirst) {
  expect_equal(kAddIndex, {}, [](Machine& machine) {
    machine.launch("add_index", 2049, 32);
    machine.run();
  });
}

TEST(FunctionalThreads, KeepGoingAlike) {
  expect_equal(kAddIndex, {{"gpu.keep_going", "true"}}, [](Machine& machine) {
    machine.launch("add_index", 260, 256);
    machine.run();
  });
}

TEST(FunctionalThreads, StopAGridThatNeverEndsAtTheSameTime) {
  expect_equal(kFlag, {{"gpu.max_cycles", "100000"}}, [](Machine& machine) {
    machine.out(0) = 0;
    machine.launch("flag", 1, 32);
    machine.run();
  });
}

TEST(FunctionalThreads, TakeTicketsInTheOrderOfTheTurns) {
  expect_equal(kCount, {}, [](Machine& machine) {
    machine.launch("count", 300, 96);
    machine.run();
    EXPECT_EQ(machine.out(0), 300u * 96);
  });
}

/// Each thread leaves a number in shared memory, comes to the barrier, takes that of the thread 32
/// behind it, and leaves it for the next round: without a barrier between the look and the change, as
/// programs are that have forgotten it. Some instructions lie between the two.
std::string rotation(const std::string& barrier, unsigned threads, unsigned rounds) {
  return fmt::format(R"(
.shared .align 4 .b8 tile[4096];
.visible .entry rotate(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.u32 %r4, %r2, %r3;
  add.u32 %r5, %r1, 32;
  rem.u32 %r5, %r5, {0};
  shl.b32 %r5, %r5, 2;
  add.u32 %r5, %r2, %r5;
  mov.u32 %r6, %r1;
  mov.u32 %r7, 0;
NEXT:
  st.shared.u32 [%r4], %r6;
  {1};
  ld.shared.u32 %r6, [%r5];
  mov.u32 %r8, 0;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 1;
  add.u32 %r8, %r8, 1;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p1, %r7, {2};
  @%p1 bra NEXT;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r6;
  ret;
}})",
                     threads, barrier, rounds);
}

// docs/limits.md: what is read behind a barrier is read before another warp goes on to overwrite it.
TEST(FunctionalTurns, WhatIsReadBehindABarrierIsReadBeforeItIsChanged) {
  constexpr unsigned kRounds = 5;
  for (const unsigned threads : {64u, 224u, 1024u}) {
    for (const std::string& barrier :
         {std::string("bar.sync 0"), fmt::format("bar.sync 3, {}", threads),
          std::string("setp.eq.u32 %p2, %r1, %r1; bar.red.popc.u32 %r9, 0, %p2")}) {
      for (const char* scheme : {"stack", "independent"}) {
        Machine machine(rotation(barrier, threads, kRounds).c_str(),
                        {kUntimed, {"scheduler.divergence", scheme}});
        machine.launch("rotate", 3, threads);
        machine.run();
        for (std::uint32_t t = 0; t < threads; ++t) {
          ASSERT_EQ(machine.out(t), (t + 32 * kRounds) % threads)
              << barrier << " of " << threads << ", " << scheme;
        }
      }
    }
  }
}

/// Reads a word of each of the 64 buffers that the numbers at `in` point to, over and over.
constexpr const char* kReadAround = R"(
.visible .entry read_around(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, 0;
NEXT:
  and.b32 %r2, %r1, 63;
  mul.wide.u32 %rd2, %r2, 8;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u64 %rd4, [%rd3];
  ld.global.u32 %r3, [%rd4];
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 20000;
  @%p1 bra NEXT;
  ret;
})";

// One host thread ends a block, and a watch for warps that wait for ever with it, while others look
// allocations up.
TEST(FunctionalThreads, LookAllocationsUpWhileAWatchedBlockEnds) {
  Machine machine(kReadAround, {kUntimed, {"gpu.threads", "3"}});
  for (unsigned n = 0; n < 64; ++n) {
    const Address buffer = machine.space().allocate(256, memory::Kind::device, "buffer");
    std::memcpy(&machine.in(2 * n), &buffer, sizeof buffer);
  }
  Profile profile;
  machine.gpu().profile(profile);
  machine.launch("read_around", 40, 32);
  machine.run();
  std::uint64_t loads = 0;
  for (const CodeCounts& counts : profile.programs().at(0)->merged()) {
    loads = std::max<std::uint64_t>(loads, counts.warp_instructions);
  }
  EXPECT_EQ(loads, 40u * 20000);
}

TEST(FunctionalThreads, CountTheSameProfile) {
  const RandomKernel kernel(7);
  std::vector<std::uint64_t> expected;
  for (const char* threads : {"1", "2", "5"}) {
    Machine machine(kernel.text().c_str(), {kUntimed, {"gpu.threads", threads}});
    machine.in(RandomKernel::kLock) = 0;
    Profile profile;
    machine.gpu().profile(profile);
    machine.launch("steps", 50, 64);
    machine.run();
    std::vector<std::uint64_t> found;
    for (const CodeCounts& counts : profile.programs().at(0)->merged()) {
      found.push_back(counts.warp_instructions);
      found.push_back(counts.thread_instructions);
    }
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace raddle::machine
