// The example of a unit with instructions: queues in the multiprocessors.
#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <numeric>

#include "base/stats.h"
#include "machine/kernels.h"
#include "machine/mechanism.h"

namespace raddle::mechanisms::queue {
machine::MechanismKind kind();
}

namespace raddle::machine {

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds{mechanisms::queue::kind()};
  return kinds;
}

namespace {

using namespace test;

/// %r1: block, %r3: thread in it, %r4: thread of all; %rd1: in, %rd2: out, %rd5: out[thread].
#define RADDLE_THREAD                   \
  ".reg .b32 %r<16>; .reg .b64 %rd<8>;" \
  ".reg .pred %p<4>;"                   \
  "ld.param.u64 %rd1, [in];"            \
  "ld.param.u64 %rd2, [out];"           \
  "mov.u32 %r1, %ctaid.x;"              \
  "mov.u32 %r2, %ntid.x;"               \
  "mov.u32 %r3, %tid.x;"                \
  "mad.lo.s32 %r4, %r1, %r2, %r3;"      \
  "mul.wide.u32 %rd3, %r4, 4;"          \
  "add.s64 %rd5, %rd2, %rd3;"

constexpr const char* kKernels =
    // Each thread pushes its number and pulls one.
    ".visible .entry exchange(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  queue.push.u32 %r4;
  queue.pull.u32 %r5;
  st.global.u32 [%rd5], %r5;
  ret;
})"
    // Lanes of even number pull what the others of their warp push behind them.
    ".visible .entry lanes(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  and.b32 %r6, %r3, 1;
  setp.eq.u32 %p1, %r6, 0;
  @%p1 queue.pull.u32 %r5;
  @!%p1 queue.push.u32 %r4;
  @%p1 st.global.u32 [%rd5], %r5;
  ret;
})"
    // Blocks of even number pull what the others push later.
    ".visible .entry blocks(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  and.b32 %r6, %r1, 1;
  setp.eq.u32 %p1, %r6, 0;
  @%p1 bra PULL;
  mov.u32 %r7, 0;
LATER:
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p2, %r7, 300;
  @%p2 bra LATER;
  queue.push.u32 %r4;
  ret;
PULL:
  queue.pull.u32 %r5;
  st.global.u32 [%rd5], %r5;
  ret;
})"
    // A binary tree of 2^13 - 1 nodes: each of 8191 threads pulls a node's height, counts it, and
    // pushes those of its two children. out[16384] on is the buffer.
    ".visible .entry tree(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  setp.ge.u32 %p1, %r4, 8191;
  @%p1 exit;
  setp.eq.u32 %p1, %r4, 0;
  @!%p1 bra WORK;
  add.s64 %rd6, %rd2, 65536;
  queue.buffer.u64 %rd6, 16384;
  queue.push.u32 12;
WORK:
  queue.pull.u32 %r5;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd5, %rd2, %rd3;
  atom.global.add.u32 %r6, [%rd5], 1;
  setp.eq.u32 %p2, %r5, 0;
  @%p2 exit;
  sub.u32 %r5, %r5, 1;
  queue.push.u32 %r5;
  queue.push.u32 %r5;
  ret;
})"
    // More is pushed than a queue holds, and pulled afterwards.
    ".visible .entry flood(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  add.s64 %rd6, %rd2, 65536;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 queue.buffer.u64 %rd6, 16384;
  bar.sync 0;
  queue.push.u32 %r4;
  bar.sync 0;
  queue.pull.u32 %r5;
  st.global.u32 [%rd5], %r5;
  ret;
})"
    // A value that is pulled is used at once, and by another pull's address.
    ".visible .entry chain(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  queue.push.u32 %r4;
  queue.pull.u32 %r5;
  add.u32 %r5, %r5, 1000;
  queue.push.u32 %r5;
  queue.pull.u32 %r5;
  add.u32 %r5, %r5, 1000;
  st.global.u32 [%rd5], %r5;
  ret;
})"
    ".visible .entry nobody(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  queue.pull.u32 %r5;
  st.global.u32 [%rd5], %r5;
  ret;
})";

Settings with(Settings settings) {
  settings.emplace_back("gpu.mechanisms", "queue");
  return settings;
}

void add(const StatGroup& group, const std::string& path, std::string& text) {
  for (const Counter* counter : group.counters()) {
    text += path + std::string(counter->name()) + " " + std::to_string(counter->value()) + "\n";
  }
  for (const StatGroup* child : group.children()) add(*child, path + child->name() + ".", text);
}

class Execution {
 public:
  Execution(const char* kernel, unsigned blocks, unsigned threads, const Settings& settings)
      : machine_(kKernels, with(settings)) {
    machine_.launch(kernel, blocks, threads);
    machine_.run();
    for (const FaultReport& fault : machine_.gpu().take_faults()) faults_ += fault.text;
  }
  std::vector<std::uint32_t> out(unsigned count, unsigned step = 1) {
    std::vector<std::uint32_t> values;
    for (unsigned n = 0; n < count; n += step) values.push_back(machine_.out(n));
    return values;
  }
  std::string statistics() {
    std::string text;
    add(machine_.gpu().statistics(), "", text);
    return text;
  }
  std::uint64_t total(const char* name) {
    return raddle::total(machine_.gpu().statistics(), "queue", name);
  }
  const std::string& faults() const { return faults_; }

 private:
  Machine machine_;
  std::string faults_;
};

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::uint32_t> numbers(unsigned from, unsigned count, unsigned step = 1) {
  std::vector<std::uint32_t> all;
  for (unsigned n = from; n < from + count; n += step) all.push_back(n);
  return all;
}

class Queue : public testing::TestWithParam<Settings> {};

TEST_P(Queue, EveryValueIsPulledOnce) {
  Execution run("exchange", 20, 256, GetParam());
  EXPECT_EQ(run.faults(), "");
  EXPECT_EQ(sorted(run.out(5120)), numbers(0, 5120));
}

TEST_P(Queue, LanesWaitForLanesOfTheirWarp) {
  Execution run("lanes", 3, 96, GetParam());
  EXPECT_EQ(run.faults(), "");
  EXPECT_EQ(sorted(run.out(288, 2)), numbers(1, 288, 2));
}

TEST_P(Queue, LanesWaitForOtherMultiprocessors) {
  Execution run("blocks", 8, 64, GetParam());
  EXPECT_EQ(run.faults(), "");
  std::vector<std::uint32_t> pulled, pushed;
  const std::vector<std::uint32_t> out = run.out(512);
  for (unsigned block = 0; block < 8; block += 2) {
    for (unsigned n = 0; n < 64; ++n) {
      pulled.push_back(out[64 * block + n]);
      pushed.push_back(64 * (block + 1) + n);
    }
  }
  EXPECT_EQ(sorted(pulled), pushed);
}

TEST_P(Queue, ATreeIsWalked) {
  Execution run("tree", 32, 256, GetParam());
  EXPECT_EQ(run.faults(), "");
  for (unsigned height = 0; height <= 12; ++height) {
    EXPECT_EQ(run.out(13)[height], 1u << (12 - height)) << "height " << height;
  }
}

TEST_P(Queue, WhatHasNoRoomIsSpilled) {
  Execution run("flood", 1, 1024, GetParam());
  EXPECT_EQ(run.faults(), "");
  EXPECT_EQ(sorted(run.out(1024)), numbers(0, 1024));
}

TEST_P(Queue, UsersOfAValueWaitForIt) {
  Execution run("chain", 4, 256, GetParam());
  EXPECT_EQ(run.faults(), "");
  const std::vector<std::uint32_t> out = run.out(1024);
  // All threads' numbers and 1000 for each of two pulls, in whatever order.
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0u), 1024u * 1023 / 2 + 1024 * 2000);
}

TEST_P(Queue, WaitingForNobodyIsADeadlock) {
  Execution run("nobody", 1, 32, GetParam());
  EXPECT_THAT(run.faults(),
              testing::AllOf(testing::HasSubstr("deadlock"), testing::HasSubstr("warp 0")));
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Queue,
    testing::Values(Settings{{"gpu.functional", "true"}},
                    Settings{{"gpu.functional", "true"}, {"gpu.threads", "3"}}, Settings{},
                    Settings{{"scheduler.divergence", "independent"}},
                    Settings{{"scheduler.divergence", "dual_path"}},
                    Settings{{"scheduler.divergence", "dynamic_warps"}},
                    Settings{{"gpu.preempt_every", "150"}},
                    Settings{{"gpu.preempt_every", "150"}, {"scheduler.divergence", "independent"}},
                    Settings{{"gpu.preempt_every", "150"}, {"scheduler.divergence", "dual_path"}},
                    Settings{{"gpu.preempt_every", "150"},
                             {"scheduler.divergence", "dynamic_warps"}},
                    Settings{{"operands.style", "fixed"}, {"queue.network.hop_latency", "9"}},
                    Settings{{"gpu.sms", "1"}}));

// All its lanes wait at the queue when it is preempted; the values are pushed after it has come back,
// or while it is away.
TEST(QueueTiming, ABlockOfParkedLanesLeavesAndComesBack) {
  for (const char* divergence : {"stack", "independent", "dual_path", "dynamic_warps"}) {
    std::uint64_t left = 0;
    for (const char* every : {"40", "100", "300", "1000"}) {
      const Settings settings = {
          {"scheduler.divergence", divergence}, {"gpu.sms", "2"}, {"gpu.preempt_every", every}};
      Machine machine(kKernels, with(settings));
      machine.launch("blocks", 2, 64);
      machine.run();
      for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
      std::vector<std::uint32_t> pulled;
      for (unsigned n = 0; n < 64; ++n) pulled.push_back(machine.out(n));
      EXPECT_EQ(sorted(pulled), numbers(64, 64)) << divergence << ", every " << every;
      const auto count = [&](const char* name) {
        return total(machine.gpu().statistics(), "preemption", name);
      };
      EXPECT_EQ(count("left"), count("returned"));
      left += count("left");
    }
    EXPECT_GT(left, 10u) << divergence;
  }
}

TEST(QueueTiming, SpillsGoThroughMemory) {
  Execution run("flood", 1, 1024, {});
  EXPECT_GT(run.total("spilled"), 700u);  // of 1024 values 128 have room
  EXPECT_EQ(run.total("refilled"), run.total("spilled"));
  EXPECT_EQ(run.total("dropped"), 0u);
}

TEST(QueueTiming, SkippingAndThreadsChangeNothing) {
  for (const char* kernel : {"exchange", "lanes", "blocks", "flood", "tree"}) {
    for (const char* divergence : {"stack", "independent", "dual_path", "dynamic_warps"}) {
      const bool flood = std::string(kernel) == "flood";
      const unsigned blocks = flood ? 1 : 32, threads = flood ? 1024 : 256;
      const auto run = [&](const char* skip, const char* host_threads) {
        return Execution(kernel, blocks, threads,
                         {{"gpu.skip_idle", skip},
                          {"gpu.threads", host_threads},
                          {"scheduler.divergence", divergence}})
            .statistics();
      };
      const std::string expected = run("true", "1");
      EXPECT_EQ(run("false", "1"), expected) << kernel << ", " << divergence;
      EXPECT_EQ(run("true", "2"), expected) << kernel << ", " << divergence;
      EXPECT_EQ(run("true", "3"), expected) << kernel << ", " << divergence;
    }
  }
}

TEST(QueueTiming, ABufferThatIsNotThereIsTheProgramsFault) {
  constexpr const char* kNoBuffer =
      ".visible .entry flood(.param .u64 in, .param .u64 out) {" RADDLE_THREAD R"(
  mov.u64 %rd6, 4096;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 queue.buffer.u64 %rd6, 16384;
  bar.sync 0;
  queue.push.u32 %r4;
  ret;
})";
  Machine machine(kNoBuffer, with({}));
  machine.launch("flood", 1, 1024);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::out_of_bounds);
  EXPECT_THAT(faults[0].text, testing::HasSubstr("queue.buffer"));
}

TEST(QueueTiming, SwitchedOffItsInstructionsAreRefused) {
  const Machine machine(kKernels);
  EXPECT_THAT(machine.program().find_kernel("exchange")->unsupported,
              testing::HasSubstr("--with queue"));
}

}  // namespace
}  // namespace raddle::machine
