// Whole kernels on the timed machine: right values, counts that add up, and results that depend
// neither on skipping idle cycles nor on the number of host threads.
#include "kernels.h"
#include "machine/summary.h"

namespace raddle::machine {
namespace {

using namespace test;

/// All statistics in one text, to compare runs.
void dump(const StatGroup& group, const std::string& path, std::string& text) {
  const std::string here = path + "/" + group.name();
  for (const Statistic* statistic : group.statistics()) {
    for (const StatFigure& figure : figures(*statistic)) {
      text += here + "." + std::string(statistic->name()) + " " + figure.part + " " +
              std::to_string(figure.value) + "\n";
    }
  }
  for (const StatGroup* child : group.children()) dump(*child, here, text);
}
std::string dump(const Gpu& gpu) {
  std::string text;
  dump(gpu.statistics(), "", text);
  return text;
}

TEST(TimedGpu, ComputesAndCounts) {
  Machine machine(kAddIndex);
  machine.launch("add_index", 64, 256);
  machine.run();
  for (std::uint32_t i = 0; i < 64 * 256; ++i) ASSERT_EQ(machine.out(i), 4 * i);
  const std::vector<GridRecord> ended = machine.gpu().take_ended();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].kernel, "add_index");
  EXPECT_EQ(ended[0].warp_instructions, 64u * 8 * 13);
  EXPECT_EQ(ended[0].thread_instructions, 64u * 256 * 13);
  // The kernel distributor's latency, and at least one trip to DRAM.
  EXPECT_EQ(ended[0].start_cycle, 283u);
  EXPECT_GT(ended[0].end_cycle - ended[0].start_cycle, 331u);
  EXPECT_LT(ended[0].end_cycle - ended[0].start_cycle, 5000u);
}

TEST(TimedGpu, SlotsAddUpToCyclesTimesSchedulers) {
  Machine machine(kReverse);
  machine.launch("reverse", 100, 256);
  machine.run();
  for (const StatGroup* sm : machine.gpu().statistics().children()) {
    if (sm->name() != "sm") continue;
    std::uint64_t slots = 0;
    for (const StatGroup* child : sm->children()) {
      if (child->name() != "slots") continue;
      for (const Counter* counter : child->counters()) slots += *counter;
    }
    EXPECT_EQ(slots, 4 * total(*sm, "sm", "cycles"));
  }
}

TEST(TimedGpu, BarriersAndSharedMemory) {
  Machine machine(kReverse);
  machine.launch("reverse", 100, 256);
  machine.run();
  for (std::uint32_t i = 0; i < 25600; ++i)
    ASSERT_EQ(machine.out(i), 3 * ((i & ~255u) + 255 - i % 256));
}

TEST(TimedGpu, AtomicsGiveEachThreadItsOwnValue) {
  Machine machine(kCount);
  machine.out(0) = 0;
  machine.launch("count", 20, 96);
  machine.run();
  EXPECT_EQ(machine.out(0), 1920u);
  std::vector<bool> seen(1920);
  for (std::uint32_t i = 0; i < 1920; ++i) {
    ASSERT_LT(machine.in(i), 1920u);
    EXPECT_FALSE(seen[machine.in(i)]);
    seen[machine.in(i)] = true;
  }
}

std::string run_all(std::initializer_list<std::pair<const char*, const char*>> settings) {
  Machine machine((std::string(kAddIndex) + kCount + kReverse).c_str(), settings);
  machine.launch("add_index", 40, 256);
  machine.launch("reverse", 60, 256);
  machine.launch("count", 30, 128);
  machine.run();
  std::string text = dump(machine.gpu());
  for (const GridRecord& record : machine.gpu().take_ended()) {
    text += record.kernel + " " + std::to_string(record.start_cycle) + " " +
            std::to_string(record.end_cycle) + "\n";
  }
  for (std::uint32_t i = 0; i < 30 * 128; ++i) text += std::to_string(machine.in(i)) + " ";
  return text;
}

TEST(TimedGpu, SkippingIdleCyclesChangesNothing) {
  EXPECT_EQ(run_all({}), run_all({{"gpu.skip_idle", "false"}}));
  EXPECT_EQ(run_all({{"scheduler.policy", "two_level"}}),
            run_all({{"scheduler.policy", "two_level"}, {"gpu.skip_idle", "false"}}));
  EXPECT_EQ(run_all({{"scheduler.patience", "3"}}),
            run_all({{"scheduler.patience", "3"}, {"gpu.skip_idle", "false"}}));
}

/// The front end, the register file and the ends of blocks of Volta.
std::string run_all_as_volta(const char* skip_idle, const char* threads) {
  return run_all({{"gpu.skip_idle", skip_idle},
                  {"gpu.threads", threads},
                  {"scheduler.dispatch_width", "1"},
                  {"scheduler.divergence", "independent"},
                  {"frontend.instruction_bytes", "16"},
                  {"frontend.control_every", "0"},
                  {"frontend.l0_bytes", "512"},
                  {"frontend.prefetch", "2"},
                  {"operands.style", "fixed"},
                  {"operands.banks", "2"},
                  {"operands.read_ports", "1"},
                  {"operands.reuse", "true"},
                  {"operands.result_buses", "1"},
                  {"load_store.stores_hold_warps", "false"}});
}

TEST(TimedGpu, NeitherSkippingNorThreadsChangeAnythingOnVolta) {
  const std::string plain = run_all_as_volta("true", "1");
  EXPECT_EQ(plain, run_all_as_volta("false", "1"));
  EXPECT_EQ(plain, run_all_as_volta("true", "2"));
}

TEST(TimedGpu, ThreadsChangeNothing) { EXPECT_EQ(run_all({}), run_all({{"gpu.threads", "2"}})); }

/// out[i] = in[i] + 1, but every fifth thread of a warp goes far outside `out`.
constexpr const char* kWildLanes = R"(
.visible .entry wild_lanes(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.s32 %r2, %r2, 1;
  add.s64 %rd5, %rd2, %rd3;
  rem.u32 %r3, %r1, 5;
  setp.eq.u32 %p, %r3, 0;
  @%p add.s64 %rd5, %rd5, 0x10000000;
  st.global.u32 [%rd5], %r2;
  ret;
})";

TEST(TimedGpu, KeepGoingPassesOverTheFaultingLanesAlone) {
  for (const char* functional : {"false", "true"}) {
    Machine machine(kWildLanes, {{"gpu.keep_going", "true"}, {"gpu.functional", functional}});
    machine.launch("wild_lanes", 1, 64);
    machine.run();
    for (std::uint32_t i = 0; i < 64; ++i) {
      ASSERT_EQ(machine.out(i), i % 5 == 0 ? 0 : 3 * i + 1) << "thread " << i;
    }
    EXPECT_EQ(machine.gpu().take_faults().size(), 1u) << "told once";
    EXPECT_EQ(total(machine.gpu().statistics(), "gpu", "faults"), 2u) << "of two warps";
  }
}

/// out[0] = 1 + 2 + ... + in[1000], by recursion.
constexpr const char* kDeep = R"(
.visible .func (.param .b32 result) sum(.param .b32 n) {
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u32 %r1, [n];
  setp.eq.u32 %p, %r1, 0;
  @%p bra END;
  sub.u32 %r2, %r1, 1;
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r2;
    call (y), sum, (x);
    ld.param.b32 %r3, [y]; }
  add.u32 %r1, %r1, %r3;
END:
  st.param.b32 [result], %r1;
  ret;
}
.visible .entry deep(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.global.u32 %r1, [%rd1+4000];
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r1;
    call (y), sum, (x);
    ld.param.b32 %r2, [y]; }
  st.global.u32 [%rd2], %r2;
  ret;
})";

TEST(TimedGpu, RecursionHasTheStackThatWasAskedFor) {
  for (const char* functional : {"false", "true"}) {
    // 3000 calls of 16 bytes or more do not fit into the 8192 that there are by default.
    Machine small(kDeep, {{"gpu.functional", functional}});
    small.launch("deep", 1, 32);
    small.run();
    const std::vector<FaultReport> faults = small.gpu().take_faults();
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].kind, isa::Fault::Kind::stack_overflow);
    EXPECT_NE(faults[0].text.find("in sum: "), std::string::npos) << faults[0].text;
    EXPECT_NE(faults[0].text.find("cudaLimitStackSize"), std::string::npos) << faults[0].text;

    Machine large(kDeep, {{"gpu.functional", functional}});
    large.gpu().set_stack_bytes(256 << 10);
    large.launch("deep", 1, 32);
    large.run();
    EXPECT_TRUE(large.gpu().take_faults().empty());
    EXPECT_EQ(large.out(0), 3000u * 3001 / 2);
  }
}

/// Statistics, records and values of a watched or unwatched run; `looks` counts the watcher's
/// calls.
std::string run_watched(bool functional, unsigned* looks) {
  Machine machine(kCount, {{"gpu.functional", functional ? "true" : "false"}});
  Progress last;
  if (looks != nullptr) {
    machine.gpu().watch([&](const Progress& now) {
      ++*looks;
      EXPECT_GE(now.now, last.now);
      EXPECT_GE(now.warp_instructions, last.warp_instructions);
      EXPECT_LE(now.blocks_ended, now.blocks);
      last = now;
    });
  }
  machine.launch("count", 300, 128);
  machine.run();
  std::string text = dump(machine.gpu());
  for (const GridRecord& record : machine.gpu().take_ended()) {
    text += std::to_string(record.start_cycle) + " " + std::to_string(record.end_cycle) + "\n";
  }
  for (std::uint32_t i = 0; i < 300 * 128; ++i) text += std::to_string(machine.in(i)) + " ";
  return text;
}

TEST(TimedGpu, AWatcherIsToldAndChangesNothing) {
  for (const bool functional : {false, true}) {
    unsigned looks = 0;
    EXPECT_EQ(run_watched(functional, &looks), run_watched(functional, nullptr));
    EXPECT_GT(looks, 0u) << (functional ? "functional" : "timed");
  }
}

TEST(TimedGpu, AdvanceStopsAtItsLimit) {
  Machine machine(kAddIndex);
  machine.gpu().advance(1000);
  EXPECT_EQ(machine.gpu().now(), 1000u);
  const GridId grid = machine.launch("add_index", 1, 32);
  machine.gpu().advance(1282);
  EXPECT_EQ(machine.gpu().now(), 1282u);
  EXPECT_FALSE(machine.gpu().ended(grid));
  machine.run();
  EXPECT_TRUE(machine.gpu().ended(grid));
  EXPECT_EQ(machine.gpu().take_ended().at(0).start_cycle, 1283u);
}

TEST(TimedGpu, ReportsWhoWaitsInADeadlock) {
  Machine machine(kStuck);
  machine.launch("stuck", 1, 32);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::deadlock);
  EXPECT_NE(faults[0].text.find("stuck"), std::string::npos) << faults[0].text;
  EXPECT_NE(faults[0].text.find("block (0,0,0)"), std::string::npos) << faults[0].text;
}

TEST(TimedGpu, FaultStopsTheMachineAndNamesTheThread) {
  Machine machine(kAddIndex);
  machine.launch("add_index", 2049, 32);  // one block more than the buffers hold
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::out_of_bounds);
  EXPECT_NE(faults[0].text.find("block (2048,0,0), thread (0,0,0)"), std::string::npos)
      << faults[0].text;
  EXPECT_NE(faults[0].text.find("ld.global.u32"), std::string::npos) << faults[0].text;
  EXPECT_NE(faults[0].text.find("0 bytes past the end of 'in'"), std::string::npos)
      << faults[0].text;
}

TEST(TimedGpu, KeepGoingReportsEachInstructionOnce) {
  Machine machine(kAddIndex, {{"gpu.keep_going", "true"}});
  machine.launch("add_index", 257, 256);
  machine.run();
  // All 8 warps of the last block fault, at two instructions: the load from `in`, the store to
  // `out`.
  EXPECT_EQ(machine.gpu().take_faults().size(), 2u);
  EXPECT_EQ(machine.out(65535), 4u * 65535);
}

TEST(TimedGpu, WatchdogEndsWhatRunsTooLong) {
  Machine machine(kAddIndex, {{"gpu.max_cycles", "50"}});
  machine.launch("add_index", 64, 256);
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].text.find("max_cycles"), std::string::npos);
}

TEST(TimedGpu, SpinningBlocksSeeWhatOthersWrite) {
  Machine machine(kFlag);
  machine.out(0) = 0;
  machine.launch("flag", 2, 32);
  machine.run();
  EXPECT_TRUE(machine.gpu().take_faults().empty());
  EXPECT_EQ(machine.out(0), 1u);
}

TEST(TimedGpu, GridsOfDifferentStreamsRunSideBySide) {
  Machine machine(kReverse);
  machine.launch("reverse", 1, 256);
  machine.launch("reverse", 1, 256);
  machine.run();
  const std::vector<GridRecord> ended = machine.gpu().take_ended();
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_LT(ended[1].start_cycle, ended[0].end_cycle);
}

}  // namespace
}  // namespace raddle::machine
