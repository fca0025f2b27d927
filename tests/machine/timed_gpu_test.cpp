// Whole kernels on the timed machine: right values, counts that add up, and results that depend
// neither on skipping idle cycles nor on the number of host threads.
#include <gtest/gtest.h>

#include <cstring>

#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/summary.h"
#include "ptx/module.h"

namespace raddle::machine {
namespace {

constexpr const char* kHeader = ".version 7.0\n.target sm_35\n.address_size 64\n";

/// out[i] = in[i] + i, for as many as there are threads.
constexpr const char* kAddIndex = R"(
.visible .entry add_index(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  add.s32 %r6, %r5, %r4;
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r6;
  ret;
})";

/// Every thread adds 1 to out[0] and leaves what was there before in in[i].
constexpr const char* kCount = R"(
.visible .entry count(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  atom.global.add.u32 %r5, [%rd2], 1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r5;
  ret;
})";

/// Each block reverses its 256 values of `in` into `out` by way of shared memory.
constexpr const char* kReverse = R"(
.shared .align 4 .b8 tile[1024];
.visible .entry reverse(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r3, %tid.x;
  shl.b32 %r2, %r1, 8;
  add.s32 %r4, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  mov.u32 %r6, tile;
  shl.b32 %r7, %r3, 2;
  add.s32 %r8, %r6, %r7;
  st.shared.u32 [%r8], %r5;
  bar.sync 0;
  mov.u32 %r9, 1020;
  sub.s32 %r9, %r9, %r7;
  add.s32 %r9, %r6, %r9;
  ld.shared.u32 %r10, [%r9];
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r10;
  ret;
})";

/// Thread 0 of the first block waits at barrier 1 for 64 threads, and no others come.
constexpr const char* kStuck = R"(
.visible .entry stuck(.param .u64 in, .param .u64 out) {
  bar.sync 1, 64;
  ret;
})";

class Machine {
 public:
  explicit Machine(const char* kernels,
                   std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
    for (const auto& [path, value] : settings) config_.set(path, value);
    const ptx::Module module = ptx::parse("test.ptx", std::string(kHeader) + kernels);
    program_ = isa::load_program({&module, 1}, space_, config_.sm_version());
    gpu_ = std::make_unique<Gpu>(config_, space_);
    in_ = space_.allocate(kBytes, memory::Kind::device, "in");
    out_ = space_.allocate(kBytes, memory::Kind::device, "out");
    for (std::uint32_t i = 0; i < kValues; ++i) in(i) = 3 * i;
  }

  static constexpr std::uint32_t kValues = 1 << 16;
  static constexpr std::uint64_t kBytes = 4 * kValues;

  std::uint32_t& in(std::uint32_t i) { return value(in_, i); }
  std::uint32_t& out(std::uint32_t i) { return value(out_, i); }
  Gpu& gpu() { return *gpu_; }
  GpuConfig& config() { return config_; }

  GridId launch(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    Launch launch;
    launch.program = program_.get();
    launch.kernel = program_->find_kernel(kernel);
    launch.grid.x = blocks;
    launch.block.x = threads;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &in_, 8);
    std::memcpy(launch.parameters.data() + 8, &out_, 8);
    EXPECT_EQ(gpu_->launch_error(launch), "");
    return gpu_->launch(std::move(launch), 0);
  }
  void run() {
    while (!gpu_->idle()) gpu_->advance(kNever);
  }

 private:
  std::uint32_t& value(Address base, std::uint32_t i) {
    return *reinterpret_cast<std::uint32_t*>(space_.values(base + 4 * i, 4));
  }

  GpuConfig config_;
  memory::AddressSpace space_{1 << 24};
  std::unique_ptr<isa::Program> program_;
  std::unique_ptr<Gpu> gpu_;
  Address in_ = 0, out_ = 0;
};

/// All counters in one text, to compare runs.
void dump(const StatGroup& group, const std::string& path, std::string& text) {
  const std::string here = path + "/" + group.name();
  for (const Counter* counter : group.counters()) {
    text += here + "." + std::string(counter->name()) + " " + std::to_string(*counter) + "\n";
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
}

TEST(TimedGpu, ThreadsChangeNothing) { EXPECT_EQ(run_all({}), run_all({{"gpu.threads", "2"}})); }

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
  machine.launch("add_index", 257, 256);  // one block more than `out`, the last buffer, holds
  machine.run();
  const std::vector<FaultReport> faults = machine.gpu().take_faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, isa::Fault::Kind::out_of_bounds);
  EXPECT_NE(faults[0].text.find("block (256,0,0), thread (0,0,0)"), std::string::npos)
      << faults[0].text;
  EXPECT_NE(faults[0].text.find("st.global.u32"), std::string::npos);
  EXPECT_NE(faults[0].text.find("0 bytes past the end of 'out'"), std::string::npos);
}

TEST(TimedGpu, KeepGoingReportsEachInstructionOnce) {
  Machine machine(kAddIndex, {{"gpu.keep_going", "true"}});
  machine.launch("add_index", 257, 256);
  machine.run();
  // All 8 warps of the last block fault, at one instruction: the store to `out`.
  EXPECT_EQ(machine.gpu().take_faults().size(), 1u);
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
