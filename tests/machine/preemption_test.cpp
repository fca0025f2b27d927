// How blocks are preempted: which ones leave and return, and when; which state moves; what is
// reported.
#include <gmock/gmock-matchers.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "machine/observer.h"
#include "machine/summary.h"
#include "preemptor.h"

namespace raddle::machine {
namespace {

using namespace test;

/// Bytes of state that a block of `body` has when it is asleep.
std::uint64_t state_of(const std::string& text, unsigned threads = 32) {
  Machine machine(body(text + "nanosleep.u32 100000;").c_str(), preempting("20000"));
  machine.launch("kernel", 1, threads);
  machine.run();
  EXPECT_EQ(of_preemption(machine, "left"), 1u);
  EXPECT_EQ(of_preemption(machine, "saved_bytes"), of_preemption(machine, "restored_bytes"));
  return of_preemption(machine, "saved_bytes");
}

/// So many 32-bit registers that hold values while the block sleeps.
std::string live(unsigned registers) {
  std::string text, use;
  for (unsigned n = 0; n < registers; ++n) {
    text += "mul.lo.u32 %v" + std::to_string(n) + ", %r1, " + std::to_string(n + 2) + ";\n";
    use += "add.u32 %r2, %r2, %v" + std::to_string(n) + ";\n";
  }
  return ".reg .b32 %v<64>;\n" + text + "nanosleep.u32 100000;\n" + use;
}

TEST(Preemption, TheStateThatTravelsIsWhatTheBlockHas) {
  // Rows of 32 lanes x 4 bytes; everything else of the two kernels is the same.
  EXPECT_EQ(state_of(live(40)) - state_of(live(24)), 16u * 128);
  // Another warp has what the first has; the block's own is less than a sector (and a line of the
  // tile is not less).
  const std::uint64_t one = state_of("", 32), two = state_of("", 64), three = state_of("", 96);
  EXPECT_NEAR(static_cast<double>(three - two), static_cast<double>(two - one), 32);
  const std::string use = "st.shared.u32 [%r21], %r1;";
  std::string big = body(use);
  EXPECT_GE(one, 1024u) << "of shared memory";
}

TEST(Preemption, LinesOfLocalMemoryThatOnlyTheL1CacheKnowsAreWrittenBack) {
  // A store of a warp to one word of an array is a line; K20c keeps it in L1.
  const std::string store = "st.local.u32 [%r22], %r1; st.local.u32 [%r22+4], %r1;";
  const std::string load = "ld.local.u32 %r2, [%r22];";
  Machine machine(body(store + "nanosleep.u32 100000;" + load).c_str(), preempting("20000"));
  machine.launch("kernel", 1, 32);
  machine.run();
  EXPECT_EQ(of_preemption(machine, "saved_bytes"),
            of_preemption(machine, "restored_bytes") + 2 * 128);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(machine.out(t), t);
}

TEST(Preemption, TimeAwayDoesNotCountAsSleep) {
  const std::string kernels = body("nanosleep.u32 40000;");
  Settings settings = preempting("5000");
  settings.emplace_back("gpu.sms", "1");  // where its code is
  const Cycle expected = run(kernels, "kernel", 1, 32, {}).cycles;
  Machine machine(kernels.c_str(), settings);
  machine.launch("kernel", 1, 32);
  machine.run();
  const std::uint64_t moving = of_preemption(machine, "saving_cycles") +
                               of_preemption(machine, "restoring_cycles") +
                               of_preemption(machine, "draining_cycles");
  EXPECT_GT(moving, 400u) << "two trips to memory";
  EXPECT_NEAR(static_cast<double>(machine.gpu().now()), static_cast<double>(expected + moving), 60);
}

TEST(Preemption, AsksForBlocksThatAreThereAlone) {
  // Block 1 does not exist; block 0 is placed from 283 on.
  for (const auto& [at, number, answer] :
       {std::tuple("100", "0", Departure::not_here), std::tuple("2000", "1", Departure::not_here),
        std::tuple("2000", "0", Departure::leaves)}) {
    Machine machine(body("nanosleep.u32 10000;").c_str(), preempting(at, number));
    machine.launch("kernel", 1, 32);
    machine.run();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0], answer) << "block " << number << " at " << at;
    EXPECT_EQ(left_at.size(), answer == Departure::leaves ? 1u : 0u);
  }
}

TEST(Preemption, ABlockThatMovesIsNotAskedAgain) {
  Settings settings = preempting("2000");
  settings.emplace_back("preemptor.every", "1");
  Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
  machine.launch("kernel", 1, 32);
  while (left_at.size() < 3) machine.gpu().advance(machine.gpu().now() + 1);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), Departure::leaves), 3);
  EXPECT_THAT(answers, testing::Contains(Departure::moving));
  EXPECT_THAT(answers, testing::Not(testing::Contains(Departure::ending)));
}

/// A lock in out[0]; each block takes it, adds 1 to out[1] slowly, and gives it back.
constexpr const char* kLock = R"(
.visible .entry lock(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
TAKE:
  atom.global.cas.b32 %r1, [%rd1], 0, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra TAKE;
  ld.volatile.global.u32 %r2, [%rd1+4];
  add.u32 %r2, %r2, 1;
  nanosleep.u32 3000;
  st.volatile.global.u32 [%rd1+4], %r2;
  membar.gl;
  atom.global.exch.b32 %r1, [%rd1], 0;
  ret;
})";

// All places are taken by blocks that spin, and more wait for a place: the holder comes back first.
TEST(Preemption, TheHolderOfALockGetsItsTurn) {
  for (const char* at : {"2000", "4000", "6000"}) {
    Settings settings = preempting(at);
    settings.emplace_back("gpu.sms", "1");
    settings.emplace_back("sm.blocks", "4");
    settings.emplace_back("gpu.max_cycles", "3000000");
    Machine machine(kLock, settings);
    machine.out(0) = machine.out(1) = 0;
    machine.launch("lock", 12, 1);
    machine.run();
    EXPECT_EQ(machine.out(1), 12u);
    EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
    EXPECT_EQ(left_at.size(), 1u) << at;
  }
}

/// The order in which blocks come to multiprocessors.
struct Arrivals : Observer {
  std::vector<std::string> blocks;
  void block_started(const GridRecord& grid, const Dim3& index, unsigned, unsigned,
                     Cycle) override {
    blocks.push_back(std::to_string(grid.id) + "." + std::to_string(index.x));
  }
  void block_ended(unsigned, unsigned, std::uint64_t, Cycle) override {}
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}
};

// One place; a second grid waits for it when block 0 of the first is preempted.
TEST(Preemption, ThePreemptedComeBehindUrgentGridsAndBeforeOthers) {
  using testing::ElementsAre;
  for (const int priority : {-1, 0, 1}) {
    Settings settings = preempting("3000");
    settings.emplace_back("gpu.sms", "1");
    settings.emplace_back("sm.blocks", "1");
    Arrivals arrivals;
    Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
    machine.gpu().observe(arrivals, kNever);
    machine.launch("kernel", 2, 32);
    machine.gpu().advance(2000);
    Launch second = machine.prepare("kernel", 1, 32);
    second.priority = priority;
    machine.launch(second);
    machine.run();
    if (priority < 0) {
      EXPECT_THAT(arrivals.blocks, ElementsAre("1.0", "2.0", "1.0", "1.1"));
    } else {
      EXPECT_THAT(arrivals.blocks, ElementsAre("1.0", "1.0", "1.1", "2.0"));
    }
  }
}

/// The four blocks of a grid meet at out[0], like grid.sync().
constexpr const char* kMeet = R"(
.visible .entry meet(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  nanosleep.u32 5000;
  red.global.add.u32 [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.lt.u32 %p, %r1, 4;
  @%p bra WAIT;
  ret;
})";

// Two grids whose blocks need one another: the second, though more urgent, does not get the place of
// a block of the first, which could then never end.
TEST(Preemption, ACooperativeGridKeepsItsPlaces) {
  Settings settings = preempting("3000");
  settings.emplace_back("gpu.sms", "1");
  settings.emplace_back("sm.blocks", "4");
  settings.emplace_back("gpu.max_cycles", "1000000");
  Machine machine(kMeet, settings);
  machine.out(0) = machine.out(16) = 0;
  Launch first = machine.prepare("meet", 4, 1);
  first.cooperative = true;
  Launch second = first;
  second.priority = -1;
  Address out = 0;
  std::memcpy(&out, second.parameters.data() + 8, 8);
  out += 64;
  std::memcpy(second.parameters.data() + 8, &out, 8);
  machine.launch(first);
  machine.gpu().advance(2000);
  machine.launch(second);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
  EXPECT_EQ(machine.out(0), 4u);
  EXPECT_EQ(machine.out(16), 4u);
  EXPECT_EQ(left_at.size(), 1u);
}

TEST(Preemption, ReportsTellOfBlocksThatLeaveAndThatAreAway) {
  Settings settings = preempting("3000");
  settings.emplace_back("gpu.sms", "1");
  settings.emplace_back("sm.blocks", "1");
  Machine machine(body("nanosleep.u32 10000;").c_str(), settings);
  machine.launch("kernel", 1, 32);
  machine.gpu().advance(2000);
  Launch urgent = machine.prepare("kernel", 1, 32);
  urgent.priority = -1;
  machine.launch(urgent);
  machine.gpu().advance(3010);
  EXPECT_THAT(machine.gpu().where_warps_are(10), testing::HasSubstr("their block leaves"));
  while (left_at.empty()) machine.gpu().advance(machine.gpu().now() + 1);
  EXPECT_THAT(machine.gpu().where_warps_are(10), testing::HasSubstr("1 blocks are away"));
  machine.run();
}

std::string dump(const StatGroup& group, const std::string& path = "") {
  std::string text;
  const std::string here = path + "/" + group.name();
  for (const Counter* counter : group.counters()) {
    text += here + "." + std::string(counter->name()) + " " + std::to_string(*counter) + "\n";
  }
  for (const StatGroup* child : group.children()) text += dump(*child, here);
  return text;
}

std::string everything(const char* skip_idle, const char* threads) {
  Machine machine((std::string(kAddIndex) + kCount + kReverse + kLock).c_str(),
                  {{"gpu.preempt_every", "60"},
                   {"gpu.skip_idle", skip_idle},
                   {"gpu.threads", threads},
                   {"gpu.sms", "3"}});
  machine.launch("add_index", 40, 256);
  machine.launch("reverse", 60, 256);
  machine.launch("count", 30, 128);
  machine.run();
  machine.out(0) = 0;
  machine.launch("lock", 7, 1);
  machine.run();
  EXPECT_GT(of_preemption(machine, "left"), 20u);
  std::string text = dump(machine.gpu().statistics());
  for (std::uint32_t i = 0; i < 30 * 128; ++i) text += std::to_string(machine.in(i)) + " ";
  return text;
}

TEST(Preemption, NeitherSkippingNorThreadsChangeAnything) {
  const std::string plain = everything("true", "1");
  EXPECT_EQ(plain, everything("false", "1"));
  EXPECT_EQ(plain, everything("true", "2"));
  EXPECT_EQ(plain, everything("true", "3"));
}

TEST(Preemption, SlotsAddUp) {
  Machine machine(kReverse, {{"gpu.preempt_every", "50"}, {"gpu.sms", "2"}});
  machine.launch("reverse", 60, 256);
  machine.run();
  std::uint64_t slots = 0, cycles = 0, preempted = 0;
  for (const StatGroup* sm : machine.gpu().statistics().children()) {
    if (sm->name() != "sm") continue;
    cycles += total(*sm, "sm", "cycles");
    preempted += total(*sm, "slots", "preempted");
    for (const StatGroup* child : sm->children()) {
      if (child->name() != "slots") continue;
      for (const Counter* counter : child->counters()) slots += *counter;
    }
  }
  EXPECT_EQ(slots, 4 * cycles);
  EXPECT_GT(preempted, 0u);
}

// A deadlock is still found, and so is a fault of a block that came back.
TEST(Preemption, WhatIsWrongIsStillReported) {
  Machine stuck(kStuck, {{"gpu.preempt_every", "100"}});
  stuck.launch("stuck", 2, 1);
  stuck.run();
  const std::vector<FaultReport> deadlock = stuck.gpu().take_faults();
  ASSERT_EQ(deadlock.size(), 1u);
  EXPECT_EQ(deadlock[0].kind, isa::Fault::Kind::deadlock);
  Machine trap(body("nanosleep.u32 10000; trap;").c_str(), preempting("2000"));
  trap.launch("kernel", 1, 32);
  trap.run();
  const std::vector<FaultReport> faults = trap.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::trap);
  EXPECT_EQ(left_at.size(), 1u);
}

/// A thousand words of a block's shared memory and what it does with them.
std::string with_shared() {
  return body(
      "mov.u32 %r3, 0;\nLOOP: st.shared.u32 [%r21], %r3; ld.shared.u32 %r4, [%r21]; add.u32 %r2, "
      "%r2, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 200; @%p1 bra LOOP;");
}

// Who asked is told when the block has left, and when it goes on: once each, in this order.
TEST(Preemption, TheOneWhoAskedIsToldOfBoth) {
  Machine machine(with_shared().c_str(), preempting("2000"));
  machine.launch("kernel", 1, 256);
  machine.run();
  ASSERT_EQ(left_at.size(), 1u);
  ASSERT_EQ(restored_at.size(), 1u);
  EXPECT_GT(restored_at[0], left_at[0] + 100) << "a trip to memory";
  // Its place becomes free at the end of left_at, and its state has come at the end of restored_at.
  EXPECT_EQ(of_preemption(machine, "restoring_cycles"), restored_at[0] - left_at[0]);
}

struct Ways : testing::TestWithParam<StatePath> {
  void SetUp() override { state = GetParam(); }
  void TearDown() override {
    state = StatePath::l2;
    drop = false;
  }
};

// Whichever way the state goes, it comes back whole.
TEST_P(Ways, ResultsAreTheSame) {
  const Result alone = run(with_shared(), "kernel", 1, 256, {});
  for (const char* at : {"400", "1000", "3000"}) {
    std::uint64_t left = 0;
    EXPECT_EQ(run(with_shared(), "kernel", 1, 256, preempting(at), &left), alone) << at;
    EXPECT_EQ(left, 1u);
  }
}

// What goes past the L2 cache is in DRAM, and takes no line of it.
TEST_P(Ways, OnlyStateThatGoesPastTheL2CacheIsWrittenToMemory) {
  Machine machine(with_shared().c_str(), preempting("2000"));
  machine.launch("kernel", 1, 256);
  machine.run();
  const StatGroup& all = machine.gpu().statistics();
  const std::uint64_t sectors = of_preemption(machine, "saved_bytes") / 32;
  ASSERT_GT(sectors, 100u);
  const bool past = GetParam() == StatePath::memory;
  EXPECT_EQ(total(all, "dram", "writes"), past ? sectors : 0u);
  EXPECT_EQ(of_preemption(machine, "restored_bytes") / 32, sectors);
  EXPECT_EQ(total(all, "l2", "stores") >= sectors, !past);
}

INSTANTIATE_TEST_SUITE_P(OfState, Ways,
                         testing::Values(StatePath::l2, StatePath::memory, StatePath::cached));

// A block that has shown nothing begins anew, without a trip to memory; one that has is saved.
TEST(Preemption, OnlyABlockThatHasShownNothingIsDropped) {
  drop = true;
  const std::string shown = body("st.global.u32 [%rd5], %r2; nanosleep.u32 10000;");
  for (const bool shows : {false, true}) {
    Machine machine((shows ? shown : with_shared()).c_str(), preempting("2000"));
    machine.launch("kernel", 1, 256);
    machine.run();
    EXPECT_EQ(of_preemption(machine, "saved_bytes") != 0, shows);
    EXPECT_EQ(of_preemption(machine, "left"), 1u);
    EXPECT_EQ(of_preemption(machine, "returned"), 1u);
    EXPECT_EQ(restored_at.size(), 1u);
    EXPECT_EQ(machine.out(7), shows ? 0u : 199u * 200 / 2);
  }
  drop = false;
}

}  // namespace
}  // namespace raddle::machine
