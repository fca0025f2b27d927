// Warps that wait for ever are reported, with and without timing. Warps that only wait long are
// not.
#include <gmock/gmock-matchers.h>

#include <sstream>

#include "kernels.h"

namespace raddle::machine::test {
namespace {

/// The lanes of a warp take one lock, out[0]: the lane that has it waits for the others where the loop
/// ends, on a SIMT stack.
constexpr const char* kLock = R"(
.visible .entry lock(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
TRY:
  atom.global.cas.b32 %r1, [%rd2], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra TRY;
  ld.global.u32 %r2, [%rd2+4];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd2+4], %r2;
  atom.global.exch.b32 %r3, [%rd2], 0;
  ret;
})";

/// Thread 0 of each block waits until all blocks have come, the others at a barrier.
constexpr const char* kMeet = R"(
.visible .entry meet(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra COME;
  atom.global.add.u32 %r2, [%rd2], 1;
  mov.u32 %r3, %nctaid.x;
WAIT:
  ld.volatile.global.u32 %r4, [%rd2];
  setp.lt.u32 %p2, %r4, %r3;
  @%p2 bra WAIT;
COME:
  bar.sync 0;
  ret;
})";

/// Block 0 waits until out[0] is 1, which block 1 makes it after in[0] rounds.
constexpr const char* kLongWait = R"(
.visible .entry long_wait(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra WORK;
WAIT:
  ld.volatile.global.u32 %r2, [%rd2];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  ret;
WORK:
  ld.global.u32 %r3, [%rd1];
ROUND:
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p3, %r3, 0;
  @%p3 bra ROUND;
  st.global.u32 [%rd2], 1;
  ret;
})";

/// A thread waits for in[0] cycles to pass.
constexpr const char* kClock = R"(
.visible .entry by_clock(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  ld.global.u32 %r1, [%rd1];
WAIT:
  mov.u32 %r2, %clock;
  setp.lt.u32 %p1, %r2, %r1;
  mov.u32 %r2, 0;
  @%p1 bra WAIT;
  ret;
})";

/// Lane 0 adds to out[0] in[0] times, and never looks at it, while the others wait for it where the loop
/// ends.
constexpr const char* kCount = R"(
.visible .entry count(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.global.u32 %r1, [%rd1];
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
ROUND:
  atom.global.add.u32 %r3, [%rd2], 1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra ROUND;
END:
  ret;
})";

/// Threads add to one word and end.
constexpr const char* kAdd = R"(
.visible .entry add(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  red.global.add.u32 [%rd1], 1;
  ret;
})";

class Spins : public testing::TestWithParam<bool> {
 protected:
  Settings settings(Settings more = {}) const {
    more.emplace_back("gpu.functional", GetParam() ? "true" : "false");
    return more;
  }
  /// The fault that ends a launch; "": it ends by itself.
  static std::string fault(Machine& machine, const char* kernel, unsigned blocks,
                           unsigned threads) {
    machine.launch(kernel, blocks, threads);
    while (!machine.gpu().idle()) {
      machine.gpu().advance(kNever);
      for (const FaultReport& fault : machine.gpu().take_faults()) return fault.text;
    }
    return "";
  }
};

TEST_P(Spins, ALockThatLanesOfAStackTakeFromOneAnother) {
  Machine machine(kLock, settings());
  machine.out(0) = 0;
  EXPECT_THAT(fault(machine, "lock", 1, 32), testing::HasSubstr("all warps wait"));
  EXPECT_LT(machine.gpu().now(), 1'000'000u);
}

TEST_P(Spins, WhereWarpsWaitIsIndented) {
  Machine machine(kLock, settings());
  machine.out(0) = 0;
  std::istringstream lines(fault(machine, "lock", 1, 32));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("deadlock")) << line;
  bool one_lane = false;
  while (std::getline(lines, line)) {
    EXPECT_TRUE(line.starts_with("  ")) << line;
    EXPECT_EQ(line.find("lanes 0 "), std::string::npos) << line;
    one_lane |= line.find("lane 0 at test.ptx:") != std::string::npos;
  }
  EXPECT_TRUE(one_lane);
}

TEST_P(Spins, TheSameLockWhereLanesGetOnByThemselves) {
  Machine machine(kLock, settings({{"scheduler.divergence", "independent"}}));
  machine.out(0) = machine.out(1) = 0;
  EXPECT_EQ(fault(machine, "lock", 1, 32), "");
  EXPECT_EQ(machine.out(1), 32u);
}

TEST_P(Spins, BlocksThatWaitForOneWithoutAPlace) {
  const Settings few = settings({{"gpu.sms", "1"}, {"sm.blocks", "2"}});
  Machine machine(kMeet, few);
  machine.out(0) = 0;
  EXPECT_EQ(fault(machine, "meet", 2, 64), "");
  machine.out(0) = 0;
  EXPECT_THAT(fault(machine, "meet", 3, 64), testing::HasSubstr("all warps wait"));
  EXPECT_LT(machine.gpu().now(), 2'000'000u);
}

TEST_P(Spins, NotABlockThatWaitsForOneThatWorksForLong) {
  Machine machine(kLongWait, settings());
  machine.out(0) = 0;
  machine.in(0) = 300'000;
  EXPECT_EQ(fault(machine, "long_wait", 2, 32), "");
}

TEST_P(Spins, NotAThreadThatWaitsForTimeToPass) {
  Machine machine(kClock, settings());
  machine.in(0) = 1'500'000;
  EXPECT_EQ(fault(machine, "by_clock", 1, 1), "");
  EXPECT_GE(machine.gpu().now(), 1'500'000u);
}

/// The blocks have ended long before the L2 cache has added.
// More rounds than a path of a SIMT stack may spin. Without timing, since they are so many; with the pass
// that sees whose results nobody reads.
TEST(LongLoops, NotALaneThatAddsForLongAndNeverLooks) {
  Machine machine(kCount, {{"gpu.functional", "true"}, {"passes.reductions", "true"}});
  machine.in(0) = 5'000'000;
  machine.out(0) = 0;
  machine.launch("count", 1, 32);
  while (!machine.gpu().idle()) {
    machine.gpu().advance(kNever);
    EXPECT_TRUE(machine.gpu().take_faults().empty());
  }
  EXPECT_EQ(machine.out(0), 5'000'000u);
}

TEST_P(Spins, NotAGridWhoseReductionsAreUnderWay) {
  Machine machine(kAdd, settings({{"load_store.stores_hold_warps", "false"},
                                  {"passes.joined_atomics", "false"},
                                  {"l2.atomic_same_interval", "1000"}}));
  machine.out(0) = 0;
  EXPECT_EQ(fault(machine, "add", 4, 256), "");
  EXPECT_EQ(machine.out(0), 1024u);
}

/// Until the program has the host do something: a launch whose end it does not wait for.
TEST_P(Spins, NothingIsCertainBeforeTheHostsNextTurn) {
  Machine machine(kFlag, settings());
  machine.out(0) = 0;
  machine.launch("flag", 1, 32);
  machine.gpu().advance(3'000'000);
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  machine.out(0) = 1;
  machine.gpu().advance(kNever);
  EXPECT_TRUE(machine.gpu().idle());
}

INSTANTIATE_TEST_SUITE_P(Machine, Spins, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "functional" : "timed");
});

}  // namespace
}  // namespace raddle::machine::test
