// Thread block management on the machine: where blocks are placed, and when.
#include <gmock/gmock-matchers.h>

#include "base/error.h"
#include "machine/kernels.h"
#include "machine/settings.h"

namespace raddle::machine {
namespace {

using test::Machine;
using test::Settings;

/// Every thread reads words in lines of its own, again and again, and adds them to out[its number];
/// `first` makes it write there before as well.
std::string scattered(const char* name, bool writes_first) {
  return std::string(".visible .entry ") + name + R"((.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4; add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r6, 0; mov.u32 %r7, 0;)" +
         (writes_first ? "st.global.u32 [%rd5], %r6;" : "") + R"(
LOOP:
  mad.lo.u32 %r8, %r7, 37, %r4; mul.lo.u32 %r8, %r8, 33; and.b32 %r8, %r8, 32767;
  mul.wide.u32 %rd3, %r8, 4; add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r9, [%rd4]; add.u32 %r6, %r6, %r9;
  add.u32 %r7, %r7, 1; setp.lt.u32 %p, %r7, 60;
  @%p bra LOOP;
  st.global.u32 [%rd5], %r6;
  ret;
})";
}
const std::string kKernels = scattered("late", false) + scattered("early", true);

std::uint32_t expected(std::uint32_t thread) {
  std::uint32_t sum = 0;
  for (std::uint32_t n = 0; n < 60; ++n) sum += 3 * ((n * 37 + thread) * 33 & 32767);
  return sum;
}

/// Settings under which blocks leave soon and often.
Settings restless(const Settings& more = {}) {
  Settings settings{{"gpu.mechanisms", "blocks"},     {"gpu.sms", "2"},
                    {"blocks.memory_step", "0.01"},   {"blocks.memory_capacity", "0.05"},
                    {"blocks.check_kilobytes", "50"}, {"blocks.patience", "50"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

struct Outcome {
  Cycle cycles = 0;
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t left = 0, returned = 0, saved = 0;
};

Outcome run(const Settings& settings, const char* kernel = "late", unsigned launches = 2) {
  Machine machine(kKernels.c_str(), settings);
  for (unsigned n = 0; n < launches; ++n) machine.launch(kernel, 40, 128);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
  for (std::uint32_t i = 0; i < 40 * 128; ++i) {
    EXPECT_EQ(machine.out(i), expected(i)) << i;
    if (testing::Test::HasFailure()) break;
  }
  Outcome result;
  result.cycles = machine.gpu().now();
  const StatGroup& all = machine.gpu().statistics();
  for (const char* name : {"looks", "updates", "end_updates", "oversubscribed", "left", "dropped",
                           "restored", "drained", "queue_full", "update_bytes", "impatient"}) {
    result.counts[name] = total(all, "blocks", name);
  }
  result.left = total(all, "preemption", "left");
  result.returned = total(all, "preemption", "returned");
  result.saved = total(all, "preemption", "saved_bytes");
  return result;
}

TEST(Blocks, LeaveWhereThatIsTooMuchAndComeToTheirEnd) {
  Outcome found = run(restless());
  EXPECT_GT(found.counts["left"], 0u);
  EXPECT_EQ(found.counts["left"], found.counts["restored"]);
  EXPECT_EQ(found.left, found.returned);
  EXPECT_GT(found.saved, 0u);
  EXPECT_EQ(found.counts["end_updates"], 80u);
  EXPECT_EQ(found.counts["update_bytes"],
            8 * (found.counts["updates"] + found.counts["end_updates"]));
}

TEST(Blocks, NeitherSkippingNorThreadsChangeAnything) {
  for (const char* leaving : {"switch", "flush", "drain"}) {
    const char* const pace = leaving == std::string("flush") ? "8" : "50";
    const Settings common{{"blocks.leaving", leaving}, {"blocks.check_kilobytes", pace}};
    const Outcome once = run(restless(common));
    for (const auto& [path, value] :
         {std::pair("gpu.skip_idle", "false"), std::pair("gpu.threads", "2")}) {
      Settings other = common;
      other.emplace_back(path, value);
      const Outcome again = run(restless(other));
      EXPECT_EQ(again.cycles, once.cycles) << leaving << ", " << path;
      EXPECT_EQ(again.counts, once.counts) << leaving << ", " << path;
    }
  }
}

// Nothing is known and nobody leaves: blocks of a grid go where they would without it, in the same
// cycles. (Of several grids they take turns, where the machine has one after the other.)
TEST(Blocks, RoundRobinIsThatOfTheMachine) {
  Settings without{{"gpu.sms", "2"}};
  const Outcome with = run(restless({{"blocks.scheme", "round_robin"}}), "late", 1);
  EXPECT_EQ(with.cycles, run(without, "late", 1).cycles);
}

TEST(Blocks, AreDroppedOnlyIfNobodyCanHaveSeenAnythingOfThem) {
  const Settings flush = restless({{"blocks.leaving", "flush"}, {"blocks.check_kilobytes", "8"}});
  Outcome late = run(flush, "late");  // until some of its threads have written their sums
  EXPECT_GT(late.counts["dropped"], 0u);
  EXPECT_LE(late.counts["dropped"], 80u) << "each block once";
  Outcome early = run(flush, "early");
  EXPECT_GT(early.counts["left"], 0u);
  EXPECT_LT(early.counts["dropped"], late.counts["dropped"]) << "only before their first store";
  EXPECT_GT(early.saved, 0u);
}

TEST(Blocks, NobodyLeavesWhereSmsAreDrained) {
  Outcome found = run(restless({{"blocks.leaving", "drain"}}));
  EXPECT_GT(found.counts["drained"], 0u);
  EXPECT_EQ(found.left, 0u);
}

TEST(Blocks, NobodyLeavesWhenTheVictimQueueIsFull) {
  Outcome none = run(restless({{"blocks.victims", "0"}}));
  EXPECT_GT(none.counts["queue_full"], 0u);
  EXPECT_EQ(none.left, 0u);
}

TEST(Blocks, SchemesLeaveOutWhatTheyAreCalledAfter) {
  const auto with = [](const char* scheme) { return run(restless({{"blocks.scheme", scheme}})); };
  EXPECT_EQ(with("prediction_only").left, 0u);
  EXPECT_EQ(with("static_oracle").left, 0u);
  EXPECT_EQ(with("fpu_only").left, 0u) << "there is no floating point";
  EXPECT_GT(with("preemption_only").left, 0u);
  EXPECT_GT(with("kernel_level").left, 0u);
  EXPECT_EQ(with("memory_only").cycles, with("dynamic").cycles);
}

/// The cycle in which a counter of the mechanism is no longer 0.
Cycle first(Machine& machine, const char* counter) {
  while (total(machine.gpu().statistics(), "blocks", counter) == 0) {
    machine.gpu().advance(machine.gpu().now() + 1);
    if (machine.gpu().idle()) break;
  }
  return machine.gpu().now();
}

// An update takes as long as described to come to the scheduler, not a cycle less or more.
TEST(Blocks, UpdatesTakeTheirTime) {
  for (const auto& [text, cycles] :
       {std::pair("1", 1u), std::pair("100", 100u), std::pair("101", 101u)}) {
    Machine machine(kKernels.c_str(), restless({{"blocks.update_latency", text},
                                                {"blocks.memory_capacity", "0.01"}}));
    machine.launch("late", 40, 128);
    const Cycle sent = first(machine, "updates");
    EXPECT_EQ(first(machine, "oversubscribed") - sent, cycles);
    machine.run();
  }
}

// Blocks leave for other reasons at the same time.
TEST(Blocks, ComeToTheirEndWhileOthersPreemptThemToo) {
  Outcome found = run(restless({{"gpu.preempt_every", "700"}}));
  EXPECT_GT(found.counts["left"], 0u);
  EXPECT_GT(found.left, found.counts["left"]);
  EXPECT_EQ(found.left, found.returned);
}

TEST(Blocks, ADeadlockIsStillSeen) {
  Machine machine((kKernels + test::kStuck).c_str(), restless());
  machine.launch("stuck", 1, 32);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::deadlock);
}

TEST(Blocks, AWrongSchemeIsRefusedBeforeAnythingRuns) {
  EXPECT_THAT([] { Machine(kKernels.c_str(), restless({{"blocks.scheme", "dynamik"}})); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("did you mean dynamic?")));
}

}  // namespace
}  // namespace raddle::machine
